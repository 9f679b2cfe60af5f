// Drafts for the tests: "123m55z" are tiles of a row.

export function facesOf(text) {
  const faces = [];
  let digits = "";
  for (const letter of text) {
    if (/\d/.test(letter)) digits += letter;
    else {
      faces.push(...[...digits].map((digit) => digit + letter));
      digits = "";
    }
  }
  return faces;
}

export const CONDITIONS = {
  self_drawn: false,
  last_tile: false,
  kong: false,
  fourth_tile: false,
  seat_wind: "E",
  prevalent_wind: "E",
  profile: "guobiao",
  opening: null,
};

export const EMPTY = Object.freeze({
  photos: [],
  tiles: [],
  hidden: [],
  conditions: CONDITIONS,
  discarder: null,
  added: null,
});

// Tiles numbered from 0: melds, concealed tiles, the winning tile, flowers, strays.
export function draft({ melds = [], concealed = "", winning = "", flowers = "", strays = "", ...more } = {}) {
  const rows = [
    ...melds.map((meld, group) => [meld, "meld", group]),
    [concealed, "concealed", null],
    [winning, "winning", null],
    [flowers, "flower", null],
    [strays, "stray", null],
  ];
  const laid = rows.flatMap(([text, role, group]) => facesOf(text).map((face) => ({ face, role, group })));
  const tiles = laid.map((tile, id) => ({
    id,
    alternatives: [],
    confidence: null,
    photo: null,
    quad: null,
    at: null,
    unsure: false,
    doubt: null,
    completed: null,
    ...tile,
  }));
  return freeze({ ...EMPTY, tiles, ...more });
}

// A change that writes into the draft it is given throws.
function freeze(value) {
  if (value && typeof value === "object") {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

// The same draft with other properties of some tiles: { id: { … } }.
export function withTiles(before, changes) {
  const tiles = before.tiles.map((tile) => ({ ...tile, ...changes[tile.id] }));
  return freeze({ ...before, tiles });
}

export function faces(now, role) {
  return now.tiles.filter((tile) => tile.role === role).map((tile) => tile.face);
}
