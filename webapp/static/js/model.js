// The draft: the hand that somebody edits, as a value, and every change that a person can make to it.
//
// A draft: { photos, tiles, hidden, conditions, discarder, added }.
//   photos: each { photo, width, height } with the address of the picture.
//   tiles: in the order they lie; each { id, face, seen, role, group, alternatives, confidence, photo, quad, at,
//     unsure, doubt, guessed, completed, number, row }.
//     number: which tile of its photo it is; row: in which row it lies there; undefined for a tile added by hand.
//     seen: the face as the reader saw it; undefined for a tile added by hand.
//     role: "concealed", "meld", "winning", "flower" or "stray"; group: the meld of a tile, or null.
//     alternatives: [[face, probability], …]; photo: which of the photos shows it; quad: its four corners there;
//     at: its centre and width there. All three are null for a tile added by hand.
//     unsure: whether the page asks about it; doubt: what is not sure, "kong", "role" or its face.
//     guessed: for a winning tile of which recognition cannot know that it won.
//     completed: for a winning tile that the server chose, the hand size it completed.
//   hidden: the groups that are concealed kongs.
//   conditions: as in the hand JSON, with the profile and the opening win; discarder: a seat, or null.
//   added: the tile that was added last, as long as nothing else has changed.
// Every function returns a new draft and leaves the old one alone, so undo only has to go back to it.
//
// Nothing here knows the rules of the game. The answer of /assess says what a draft is worth, what is wrong with it
// and which changes make sense (webapp/actions.py); `act` makes them.

export const SEATS = ["E", "S", "W", "N"];
export const SUITS = { m: 9, p: 9, s: 9, z: 7, f: 8 };
export const FACES = Object.entries(SUITS).flatMap(([suit, ranks]) =>
  Array.from({ length: ranks }, (_, rank) => `${rank + 1}${suit}`),
);
const ORDER = new Map([...FACES, "back"].map((face, place) => [face, place]));

export function isFlower(face) {
  return face.endsWith("f");
}

export function tileOf(draft, id) {
  return draft.tiles.find((tile) => tile.id === id) || null;
}

export function inRole(draft, role) {
  return draft.tiles.filter((tile) => tile.role === role);
}

export function groupsOf(draft) {
  return [...new Set(inRole(draft, "meld").map((tile) => tile.group))];
}

export function membersOf(draft, group) {
  return draft.tiles.filter((tile) => tile.role === "meld" && tile.group === group);
}

function nextId(draft) {
  return draft.tiles.reduce((highest, tile) => Math.max(highest, tile.id), -1) + 1;
}

export function nextGroup(draft) {
  return draft.tiles.reduce((highest, tile) => Math.max(highest, tile.group ?? -1), -1) + 1;
}

export function newTile(draft, face, role, group = null) {
  return {
    id: nextId(draft),
    face,
    role,
    group,
    alternatives: [],
    confidence: null,
    photo: null,
    quad: null,
    at: null,
    unsure: false,
    doubt: null,
    completed: null,
  };
}

// The body in which /assess takes a draft. What is null goes without saying.
export function requestOf(draft) {
  const tiles = draft.tiles.map(
    ({ id, face, role, group, unsure, doubt, guessed, confidence, photo, at, completed }) => {
      const tile = {
        id,
        face,
        role,
        group,
        doubt: unsure ? (doubt ?? "face") : guessed ? "winning" : null,
        confidence,
        photo,
        at,
        completed,
      };
      return Object.fromEntries(
        Object.entries(tile).filter(([, value]) => value !== null && value !== undefined),
      );
    },
  );
  const { hidden, added = null, conditions, discarder } = draft;
  return { draft: { tiles, hidden, added }, ...conditions, discarder };
}

// Without a hand. The tiles of the photo are left out, so that they can be tapped back.
export function cleared(draft) {
  const tiles = draft.tiles
    .filter((tile) => tile.quad)
    .map((tile) => ({ ...tile, ...placed(tile), unsure: false, role: "stray", group: null }));
  return { ...draft, tiles, hidden: [], discarder: null, added: null };
}

// Nothing at all, for a hand that comes from elsewhere.
export function emptied(draft) {
  return { ...draft, tiles: [], hidden: [], discarder: null, added: null };
}

function change(draft, which, changes) {
  return { ...draft, tiles: draft.tiles.map((tile) => (which(tile) ? { ...tile, ...changes } : tile)) };
}

// Whoever says where a tile belongs settles every doubt except one about its face.
function placed(tile) {
  return { unsure: tile.unsure && !["kong", "role"].includes(tile.doubt), guessed: false, completed: null };
}

function settle(draft, ids) {
  const tiles = draft.tiles.map((tile) => (ids.includes(tile.id) ? { ...tile, ...placed(tile) } : tile));
  return { ...draft, tiles };
}

// Puts tiles among the concealed ones, each after the last one that does not follow it in the order of faces.
function intoHand(draft, ids) {
  let now = draft;
  for (const id of ids) {
    const held = tileOf(now, id);
    const tile = { ...held, ...placed(held), role: "concealed", group: null };
    const tiles = now.tiles.filter((one) => one.id !== id);
    const hand = tiles.filter((one) => one.role === "concealed");
    const lower = hand.filter((one) => ORDER.get(one.face) <= ORDER.get(tile.face)).at(-1);
    const place = lower ? tiles.indexOf(lower) + 1 : hand.length ? tiles.indexOf(hand[0]) : tiles.length;
    tiles.splice(place, 0, tile);
    now = { ...now, tiles };
  }
  return now;
}

// A meld of fewer than three tiles is dissolved, and with three tiles there is no question which kind of kong it is.
function tidy(draft, group) {
  const members = membersOf(draft, group);
  if (members.length < 3) return dissolve(draft, { group });
  const ids = members.map((tile) => tile.id);
  return members.length < 4 ? settle(draft, ids) : draft;
}

function add(draft, { face }) {
  const tile = newTile(draft, face, isFlower(face) ? "flower" : "concealed");
  const more = { ...draft, tiles: [...draft.tiles, tile], added: tile.id };
  return tile.role === "concealed" ? intoHand(more, [tile.id]) : more;
}

// A tile of a concealed kong gives all four their face.
export function setFace(draft, { tile: id, face }) {
  const tile = tileOf(draft, id);
  if (tile.face === face) return agree(draft, { tile: id });
  const sure = { face, unsure: false };
  if (tile.role === "meld" && draft.hidden.includes(tile.group)) {
    return change(draft, (one) => one.role === "meld" && one.group === tile.group, sure);
  }
  if (isFlower(face) && tile.role !== "stray") Object.assign(sure, { role: "flower", group: null });
  const changed = change(draft, (one) => one.id === id, sure);
  return tile.role === "flower" && !isFlower(face) ? intoHand(changed, [id]) : changed;
}

function agree(draft, { tile: id }) {
  const { unsure, guessed } = tileOf(draft, id);
  if (!unsure && !guessed) return draft;
  return change(draft, (tile) => tile.id === id, { unsure: false, guessed: false });
}

// Several changes as one step.
function each(draft, { changes }) {
  return changes.reduce(act, draft);
}

function setRole(draft, { tile: id, role }) {
  const tile = tileOf(draft, id);
  if (tile.role === role) return draft;
  const sure = role === "stray" ? { unsure: false, completed: null } : placed(tile);
  const changed = change(draft, (one) => one.id === id, { ...sure, role, group: null });
  const moved = role === "concealed" ? intoHand(changed, [id]) : changed;
  return tile.role === "meld" ? tidy(moved, tile.group) : moved;
}

function remove(draft, { tile: id }) {
  const tile = tileOf(draft, id);
  const left = { ...draft, tiles: draft.tiles.filter((one) => one.id !== id) };
  return tile.role === "meld" ? tidy(left, tile.group) : left;
}

// Out of the hand: a tile of the photo can be taken back, a tile added by hand is deleted.
function leaveOut(draft, { tile }) {
  return tileOf(draft, tile).quad ? setRole(draft, { tile, role: "stray" }) : remove(draft, { tile });
}

function win(draft, { tile: id }) {
  const tile = tileOf(draft, id);
  const free = tile.role === "meld" ? dissolve(draft, { group: tile.group }) : draft;
  const others = inRole(free, "winning").filter((one) => one.id !== id);
  const back = intoHand(
    free,
    others.map((one) => one.id),
  );
  return change(back, (one) => one.id === id, { ...placed(tile), role: "winning", group: null });
}

function makeMeld(draft, { tiles: ids, concealed }) {
  if (!ids.every((id) => tileOf(draft, id)?.role === "concealed")) return draft;
  const group = nextGroup(draft);
  const melded = change(settle(draft, ids), (tile) => ids.includes(tile.id), { role: "meld", group });
  return concealed ? { ...melded, hidden: [...melded.hidden, group] } : melded;
}

// A tile joins a meld, whatever the meld is then. Four tiles are the most.
function join(draft, { tile: id, group }) {
  const tile = tileOf(draft, id);
  const size = membersOf(draft, group).length;
  if (size === 0 || size >= 4 || isFlower(tile.face) || tile.group === group) return draft;
  const joined = change(draft, (one) => one.id === id, { ...placed(tile), role: "meld", group });
  return tile.role === "meld" ? tidy(joined, tile.group) : joined;
}

function dissolve(draft, { group }) {
  const loose = intoHand(
    draft,
    membersOf(draft, group).map((tile) => tile.id),
  );
  return { ...loose, hidden: loose.hidden.filter((one) => one !== group) };
}

function hide(draft, { group, concealed }) {
  const others = draft.hidden.filter((one) => one !== group);
  const said = settle(
    draft,
    membersOf(draft, group).map((tile) => tile.id),
  );
  return { ...said, hidden: concealed ? [...others, group] : others };
}

// `set`: the conditions that change, of which the discarder is one.
function setConditions(draft, { set }) {
  const { discarder = draft.discarder, ...conditions } = set;
  return { ...draft, conditions: { ...draft.conditions, ...conditions }, discarder };
}

const CHANGES = {
  add,
  agree,
  conditions: setConditions,
  dissolve,
  each,
  face: setFace,
  hide,
  join,
  meld: makeMeld,
  out: leaveOut,
  remove,
  role: setRole,
  win,
};

// Makes the change `name` (see webapp/actions.py). A change to a tile that is gone changes nothing: a button may be
// tapped again before the next answer has redrawn it.
export function act(draft, { name, ...values }) {
  if (values.tile !== undefined && !tileOf(draft, values.tile)) return draft;
  const next = CHANGES[name](draft, values);
  return next === draft || name === "add" ? next : { ...next, added: null };
}

// Drops a tile on "winning", "concealed", "flower", "out" or on the number of a meld.
export function dropped(draft, tile, place) {
  const { face } = tileOf(draft, tile);
  if (place === "winning") return isFlower(face) ? draft : act(draft, { name: "win", tile });
  if (place === "concealed")
    return act(draft, { name: "role", tile, role: isFlower(face) ? "flower" : "concealed" });
  if (place === "flower") return isFlower(face) ? act(draft, { name: "role", tile, role: "flower" }) : draft;
  if (place === "out") return act(draft, { name: "out", tile });
  return act(draft, { name: "join", tile, group: Number(place) });
}

// The draft with the winning tile that the server names: { tile, completed }, or null for none.
export function withWinning(draft, winning) {
  const before = inRole(draft, "winning");
  if (!winning)
    return before.length
      ? intoHand(
          draft,
          before.map((tile) => tile.id),
        )
      : draft;
  const { tile: id, completed } = winning;
  if (before.length === 1 && before[0].id === id && (before[0].completed ?? null) === completed) return draft;
  const others = before.filter((tile) => tile.id !== id).map((tile) => tile.id);
  return change(intoHand(draft, others), (tile) => tile.id === id, {
    role: "winning",
    group: null,
    completed,
  });
}
