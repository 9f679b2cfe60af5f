// Where tiles come from besides the keyboard: another photo, a hand as JSON, another reading of the photo.

import { inRole, membersOf, newTile, nextGroup, SEATS } from "./model.js";

// Adds the tiles of a further photo of the same hand: what the first did not show, such as melds or flowers.
export function addPhoto(draft, more) {
  const id = draft.tiles.reduce((highest, tile) => Math.max(highest, tile.id), -1) + 1;
  const group = nextGroup(draft);
  const won = inRole(draft, "winning").length > 0;
  const tiles = more.tiles.map((tile) => ({
    ...tile,
    id: tile.id + id,
    group: tile.group === null ? null : tile.group + group,
    role: won && tile.role === "winning" ? "concealed" : tile.role,
    photo: draft.photos.length,
  }));
  return {
    ...draft,
    photos: [...draft.photos, ...more.photos],
    tiles: [...draft.tiles, ...tiles],
    hidden: [...draft.hidden, ...more.hidden.map((one) => one + group)],
    added: null,
  };
}

// Whether a tile is of the hand.
function plays(tile) {
  return tile.role !== "stray";
}

// Adds of a further photo what the draft does not show: everything if there is room for it, else each face as often as
// the hand lacks it. The other tiles are left out. `room` is that of the answer of /assess.
export function addMissing(draft, more, room) {
  const played = more.tiles.filter((tile) => plays(tile) && tile.role !== "flower");
  if (room.tiles === null || played.length <= room.tiles) return addPhoto(draft, more);
  const shown = draft.tiles.filter(plays).map((tile) => tile.face);
  const known = (tile) => {
    const at = shown.indexOf(tile.face);
    if (at >= 0) shown.splice(at, 1);
    return at >= 0;
  };
  const again = new Set(more.tiles.filter((tile) => plays(tile) && known(tile)).map((tile) => tile.id));
  const left = { role: "stray", group: null, unsure: false };
  const broken = new Set(more.tiles.filter((tile) => again.has(tile.id)).map((tile) => tile.group));
  const tiles = more.tiles.map((tile) => {
    if (again.has(tile.id)) return { ...tile, ...left };
    // What is left of a meld is no meld.
    return tile.group !== null && broken.has(tile.group) ? { ...tile, role: "concealed", group: null } : tile;
  });
  const hidden = more.hidden.filter((group) => !broken.has(group));
  return addPhoto(draft, { ...more, tiles, hidden });
}

// Another photo in place of those of the draft; how the hand was won stays.
export function replacePhotos(draft, more) {
  return { ...more, conditions: draft.conditions, discarder: draft.discarder };
}

// The tiles of the photo at `place` as they lie in `chosen`, the draft in which some of them are the hand.
export function layChoice(draft, place, chosen) {
  const base = nextGroup(draft);
  const rest = draft.tiles.filter((tile) => tile.photo !== place);
  const won = rest.some((tile) => tile.role === "winning");
  const ids = new Map(
    draft.tiles.filter((tile) => tile.photo === place).map((tile) => [tile.number, tile.id]),
  );
  const tiles = chosen.tiles
    .filter((tile) => ids.has(tile.number))
    .map((tile) => ({
      ...tile,
      id: ids.get(tile.number),
      photo: place,
      group: tile.group === null ? null : tile.group + base,
      role: won && tile.role === "winning" ? "concealed" : tile.role,
    }));
  const kept = draft.hidden.filter((group) => rest.some((tile) => tile.group === group));
  const hidden = [...kept, ...chosen.hidden.map((group) => group + base)];
  return { ...draft, tiles: [...tiles, ...rest], hidden, added: null };
}

// A hand as JSON; `empty` is a draft without tiles, whose conditions hold where the hand says nothing. With `told` false
// it says nothing about how it was won: text without the part after | gets East and a discard only by default.
export function fromHand(hand, empty, told = true) {
  const conditions = { ...empty.conditions };
  const names = told ? Object.keys(conditions).filter((name) => name in hand) : [];
  for (const name of names) conditions[name] = hand[name];
  let draft = { ...empty, conditions };
  const put = (face, role, group = null) => {
    draft = { ...draft, tiles: [...draft.tiles, newTile(draft, face, role, group)] };
  };
  for (const [group, meld] of hand.melds.entries()) {
    for (const face of meld.tiles) put(face, "meld", group);
    if (meld.kind === "concealed_kong") draft = { ...draft, hidden: [...draft.hidden, group] };
  }
  for (const face of hand.concealed) put(face, "concealed");
  put(hand.winning_tile, "winning");
  const { flowers } = hand;
  const faces = Array.isArray(flowers)
    ? flowers
    : Array.from({ length: flowers }, (_, place) => `${place + 1}f`);
  for (const face of faces) put(face, "flower");
  return draft;
}

// A hand from a link. The address of the link says what the notation cannot: `asked` are its URLSearchParams.
export function fromLink(hand, asked, empty) {
  const draft = fromHand(hand, empty, asked.get("h")?.includes("|") ?? true);
  const conditions = { ...draft.conditions };
  for (const name of ["profile", "opening"]) if (asked.get(name)) conditions[name] = asked.get(name);
  const discarder = asked.get("discarder");
  const other = SEATS.includes(discarder) && discarder !== conditions.seat_wind;
  return { ...draft, conditions, discarder: other ? discarder : null };
}

// Lays another reading of the photo over its tiles; what a person has settled stays settled.
export function layReading(draft, reading) {
  const base = nextGroup(draft);
  const places = new Map(reading.tiles.map((tile) => [tile.id, tile]));
  const tiles = draft.tiles.map((tile) => {
    const place = places.get(tile.id);
    if (!place) return tile;
    const group = place.group === null ? null : place.group + base;
    return { ...tile, ...place, group, unsure: tile.unsure && place.unsure, completed: null };
  });
  const laid = { ...draft, tiles, added: null };
  const kept = draft.hidden.filter((group) => membersOf(laid, group).length > 0);
  return { ...laid, hidden: [...kept, ...reading.hidden.map((group) => group + base)] };
}
