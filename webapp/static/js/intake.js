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
