// Where drafts come from: what a camera saw, a hand as JSON, another reading of the same photo.

import {
  CONDITIONS,
  change,
  emptyDraft,
  inRole,
  makeMeld,
  newTile,
  SEATS,
  setCondition,
  setDiscarder,
  settle,
  tileOf,
} from "./model.js";

function conditionsOf(hand) {
  const conditions = { ...CONDITIONS };
  for (const name of Object.keys(conditions)) if (hand && name in hand) conditions[name] = hand[name];
  return conditions;
}

// What the camera saw becomes a draft; face-down groups of four are concealed kongs.
export function fromRecognition(recognition) {
  const doubts = new Map(
    recognition.problems.filter((one) => one.code === "doubtful_tile").map((one) => [one.tile, one.doubt]),
  );
  const tiles = recognition.tiles.map((tile, id) => ({
    id,
    face: tile.face,
    seen: tile.face,
    role: tile.role,
    group: tile.role === "meld" ? tile.group : null,
    alternatives: tile.alternatives,
    confidence: tile.confidence,
    photo: 0,
    quad: tile.quad,
    unsure: doubts.has(id) && tile.role !== "stray",
    doubt: doubts.get(id) ?? null,
  }));
  asInThePhoto(tiles);
  const groups = [...new Set(tiles.filter((tile) => tile.role === "meld").map((tile) => tile.group))];
  const kongs = (recognition.hand?.melds || [])
    .filter((meld) => meld.kind === "concealed_kong")
    .map((meld) => meld.tiles[0]);
  const hidden = groups.filter((group) => {
    const members = tiles.filter((tile) => tile.group === group);
    return (
      members.some((tile) => tile.face === "back") ||
      (members.length === 4 && kongs.includes(members[0].face))
    );
  });
  // Without a tile set apart, the reading names the winning tile: the last of that face in the row.
  if (recognition.hand && !tiles.some((tile) => tile.role === "winning")) {
    const last = tiles
      .filter((tile) => tile.role === "concealed" && tile.face === recognition.hand.winning_tile)
      .pop();
    if (last) last.role = "winning";
  }
  const { photo, width, height } = recognition;
  const photos = [{ photo, width, height }];
  const draft = { photos, tiles, hidden, conditions: conditionsOf(recognition.hand), discarder: null };
  return hidden.reduce((known, group) => turnUp(known, group), draft);
}

// A row read from the other side of the table is turned, so that it runs as the person sees it in the photo.
function asInThePhoto(tiles) {
  const rows = new Map();
  tiles.forEach((tile, place) => {
    const row = tile.role === "meld" ? `meld ${tile.group}` : tile.role;
    rows.set(row, [...(rows.get(row) || []), place]);
  });
  for (const places of rows.values()) {
    const row = places.map((place) => tiles[place]);
    const [first, last] = [row[0].quad[0][0], row[row.length - 1].quad[0][0]];
    if (first > last) row.reverse();
    places.forEach((place, index) => {
      tiles[place] = row[index];
    });
  }
}

// A concealed kong shows one face at least; its face-down tiles are taken to be the same.
function turnUp(draft, group) {
  const shown = draft.tiles.find((tile) => tile.group === group && tile.face !== "back");
  if (!shown) return draft;
  return change(draft, (tile) => tile.group === group, { face: shown.face });
}

// A further photo of the same hand adds its tiles: what the first did not show, such as melds or flowers.
export function addPhoto(draft, recognition) {
  const more = fromRecognition(recognition);
  const id = draft.tiles.reduce((highest, tile) => Math.max(highest, tile.id), -1) + 1;
  const group = draft.tiles.reduce((highest, tile) => Math.max(highest, tile.group ?? -1), -1) + 1;
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
  };
}

export function fromHand(hand) {
  let draft = { ...emptyDraft(), conditions: conditionsOf(hand) };
  const put = (face, role, group = null) => {
    draft = { ...draft, tiles: [...draft.tiles, newTile(draft, face, role, group)] };
  };
  hand.melds.forEach((meld, group) => {
    meld.tiles.forEach((face) => put(face, "meld", group));
    if (meld.kind === "concealed_kong") draft = { ...draft, hidden: [...draft.hidden, group] };
  });
  hand.concealed.forEach((face) => put(face, "concealed"));
  put(hand.winning_tile, "winning");
  if (Array.isArray(hand.flowers)) hand.flowers.forEach((face) => put(face, "flower"));
  else for (let number = 1; number <= hand.flowers; number += 1) put(`${number}f`, "flower");
  return draft;
}

// A hand as a link brings it: what the notation has no place for stands beside it in the address.
export function fromLink(hand, asked) {
  let draft = fromHand(hand);
  for (const name of ["profile", "opening"]) {
    if (asked.get(name)) draft = setCondition(draft, name, asked.get(name));
  }
  const discarder = asked.get("discarder");
  return SEATS.includes(discarder) && discarder !== draft.conditions.seat_wind
    ? setDiscarder(draft, discarder)
    : draft;
}

// Lays another reading over the tiles: faces first (the tile likeliest to be the new face takes it), then groups.
export function layReading(draft, hand) {
  const playing = draft.tiles.filter((tile) => tile.role !== "stray" && tile.role !== "flower");
  const wanted = [...hand.melds.flatMap((meld) => meld.tiles), ...hand.concealed, hand.winning_tile];
  const missing = [...wanted];
  const spare = [];
  for (const tile of playing) {
    const place = missing.indexOf(tile.face);
    if (place >= 0) missing.splice(place, 1);
    else spare.push(tile);
  }
  let laid = draft;
  const likelihood = (tile, face) => (tile.alternatives.find(([one]) => one === face) || [face, 0])[1];
  for (const face of missing) {
    spare.sort((a, b) => likelihood(b, face) - likelihood(a, face));
    const tile = spare.shift();
    if (tile) laid = change(laid, (one) => one.id === tile.id, { face, unsure: false });
  }
  return regroup(laid, hand);
}

function regroup(draft, hand) {
  const free = draft.tiles
    .filter((tile) => tile.role !== "stray" && tile.role !== "flower")
    .map((tile) => tile.id);
  let laid = change(settle(draft, free), (tile) => free.includes(tile.id), {
    group: null,
    role: "concealed",
  });
  laid = { ...laid, hidden: [] };
  const take = (face, groups) => {
    const rank = (id) => {
      const before = tileOf(draft, id);
      const place = groups.indexOf(before.role);
      return place < 0 ? groups.length : place;
    };
    const found = free.filter((id) => tileOf(laid, id).face === face).sort((a, b) => rank(a) - rank(b))[0];
    if (found !== undefined) free.splice(free.indexOf(found), 1);
    return found;
  };
  const winning = take(hand.winning_tile, ["winning", "concealed"]);
  laid = change(laid, (tile) => tile.id === winning, { role: "winning" });
  for (const meld of hand.melds) {
    const ids = meld.tiles.map((face) => take(face, ["meld", "concealed"])).filter((id) => id !== undefined);
    laid = makeMeld(laid, ids, meld.kind === "concealed_kong");
  }
  return { ...laid, conditions: draft.conditions };
}
