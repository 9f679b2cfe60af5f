// The hand being put right, as a frozen value, and every change a person can make to it.
//
// A draft: { photos, tiles, hidden, conditions, discarder }.
//   photos: of this hand, each { photo, width, height } with the address of the picture.
//   tiles: in the order they lie; each { id, face, role, group, alternatives, photo, quad, unsure }.
//     role: "concealed", "meld", "winning", "flower" or "stray"; group: the meld a tile belongs to, else null.
//     alternatives: [[face, probability], …]; photo: the place of its photo in the list, quad: four points in that
//     photo, both null for a tile added by hand; supposed: it counts as winning only for completing the count.
//   hidden: the groups that are concealed kongs.
//   conditions: as in the hand JSON, with the profile of rules; discarder: a seat, or null.
// Every function returns a new draft and leaves the old one alone, so that undo is only going back to it.

export const SEATS = ["E", "S", "W", "N"];
export const SUITS = { m: 9, p: 9, s: 9, z: 7, f: 8 };
export const FACES = Object.entries(SUITS).flatMap(([suit, ranks]) =>
  Array.from({ length: ranks }, (_, rank) => `${rank + 1}${suit}`),
);
const ORDER = new Map([...FACES, "back"].map((face, place) => [face, place]));
const CONDITIONS = {
  self_drawn: false,
  last_tile: false,
  kong: false,
  fourth_tile: false,
  seat_wind: "E",
  prevalent_wind: "E",
  profile: "guobiao",
  opening: null,
};

export function isFlower(face) {
  return face.endsWith("f");
}

export function emptyDraft() {
  return { photos: [], tiles: [], hidden: [], conditions: { ...CONDITIONS }, discarder: null };
}

function conditionsOf(hand) {
  const conditions = { ...CONDITIONS };
  for (const name of Object.keys(conditions)) if (hand && name in hand) conditions[name] = hand[name];
  return conditions;
}

// What the camera saw becomes a draft; face-down groups of four are concealed kongs.
export function fromRecognition(recognition) {
  const doubtful = new Set(recognition.problems.filter((one) => one.code === "doubtful_tile").map((one) => one.tile));
  const tiles = recognition.tiles.map((tile, id) => ({
    id,
    face: tile.face,
    role: tile.role,
    group: tile.role === "meld" ? tile.group : null,
    alternatives: tile.alternatives,
    confidence: tile.confidence,
    photo: 0,
    quad: tile.quad,
    unsure: doubtful.has(id) && tile.role !== "stray",
  }));
  asInThePhoto(tiles);
  const groups = [...new Set(tiles.filter((tile) => tile.role === "meld").map((tile) => tile.group))];
  const kongs = ((recognition.hand && recognition.hand.melds) || [])
    .filter((meld) => meld.kind === "concealed_kong")
    .map((meld) => meld.tiles[0]);
  const hidden = groups.filter((group) => {
    const members = tiles.filter((tile) => tile.group === group);
    return members.some((tile) => tile.face === "back") || (members.length === 4 && kongs.includes(members[0].face));
  });
  // Without a tile set apart, the reading names the winning tile: the last of that face in the row.
  if (recognition.hand && !tiles.some((tile) => tile.role === "winning")) {
    const last = tiles.filter((tile) => tile.role === "concealed" && tile.face === recognition.hand.winning_tile).pop();
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

function newTile(draft, face, role, group = null) {
  const id = draft.tiles.reduce((highest, tile) => Math.max(highest, tile.id), -1) + 1;
  return { id, face, role, group, alternatives: [], confidence: null, photo: null, quad: null, unsure: false };
}

function change(draft, which, changes) {
  return { ...draft, tiles: draft.tiles.map((tile) => (which(tile) ? { ...tile, ...changes } : tile)) };
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

export function kindOf(draft, group) {
  const members = membersOf(draft, group);
  if (members.length >= 4) return draft.hidden.includes(group) ? "concealed_kong" : "melded_kong";
  return members.every((tile) => tile.face === members[0].face) ? "pung" : "chow";
}

function sorted(faces) {
  return [...faces].sort((a, b) => ORDER.get(a) - ORDER.get(b));
}

export function toHand(draft) {
  const [winning] = inRole(draft, "winning");
  const hand = {
    concealed: sorted(inRole(draft, "concealed").map((tile) => tile.face)),
    melds: groupsOf(draft).map((group) => {
      const tiles = sorted(membersOf(draft, group).map((tile) => tile.face));
      return { kind: kindOf(draft, group), tile: tiles[0], tiles };
    }),
    flowers: sorted(inRole(draft, "flower").map((tile) => tile.face)),
    ...draft.conditions,
  };
  if (winning) hand.winning_tile = winning.face;
  return hand;
}

// How many tiles the hand holds and how many it should: 14, and one more for each kong.
export function countOf(draft) {
  const held = draft.tiles.filter((tile) => ["concealed", "meld", "winning"].includes(tile.role)).length;
  const kongs = groupsOf(draft).filter((group) => membersOf(draft, group).length >= 4).length;
  return { held, expected: 14 + kongs };
}

export function setFace(draft, id, face) {
  const tile = tileOf(draft, id);
  const sure = { face, unsure: false };
  if (tile.role === "meld" && draft.hidden.includes(tile.group)) {
    return change(draft, (one) => one.role === "meld" && one.group === tile.group, sure);
  }
  if (isFlower(face) && tile.role !== "stray") Object.assign(sure, { role: "flower", group: null });
  const changed = change(draft, (one) => one.id === id, sure);
  return tile.role === "flower" && !isFlower(face) ? intoHand(changed, [id]) : changed;
}

export function agree(draft, id) {
  return change(draft, (tile) => tile.id === id, { unsure: false });
}

// Puts tiles among the concealed ones, each behind the last that does not come after it in the order of faces.
function intoHand(draft, ids) {
  return ids.reduce((before, id) => {
    const tile = { ...tileOf(before, id), role: "concealed", group: null };
    const tiles = before.tiles.filter((one) => one.id !== id);
    const hand = tiles.filter((one) => one.role === "concealed");
    const lower = hand.filter((one) => ORDER.get(one.face) <= ORDER.get(tile.face)).at(-1);
    const place = lower ? tiles.indexOf(lower) + 1 : hand.length ? tiles.indexOf(hand[0]) : tiles.length;
    tiles.splice(place, 0, tile);
    return { ...before, tiles };
  }, draft);
}

// The tile that completes the count is the winning one, unless there is one already.
export function addTile(draft, face) {
  const { held, expected } = countOf(draft);
  let role = held === expected - 1 && inRole(draft, "winning").length === 0 ? "winning" : "concealed";
  if (isFlower(face)) role = "flower";
  const tile = { ...newTile(draft, face, role), supposed: role === "winning" };
  const added = { ...draft, tiles: [...draft.tiles, tile] };
  return role === "concealed" ? intoHand(added, [tile.id]) : added;
}

// A kong asks for one tile more, so the one that completed the count before is not known to have won.
function afterKong(draft) {
  const { held, expected } = countOf(draft);
  const supposed = inRole(draft, "winning").filter((tile) => tile.supposed && held < expected);
  return intoHand(draft, supposed.map((tile) => tile.id));
}

export function removeTile(draft, id) {
  const tile = tileOf(draft, id);
  const left = { ...draft, tiles: draft.tiles.filter((one) => one.id !== id) };
  return tile.role === "meld" ? tidy(left, tile.group) : left;
}

// A meld of fewer than three tiles is none any more.
function tidy(draft, group) {
  return membersOf(draft, group).length < 3 ? dissolve(draft, group) : draft;
}

export function dissolve(draft, group) {
  const loose = intoHand(draft, membersOf(draft, group).map((tile) => tile.id));
  return { ...loose, hidden: loose.hidden.filter((one) => one !== group) };
}

export function makeWinning(draft, id) {
  const tile = tileOf(draft, id);
  const free = tile.role === "meld" ? dissolve(draft, tile.group) : draft;
  const back = intoHand(free, inRole(free, "winning").map((one) => one.id));
  return change(back, (one) => one.id === id, { role: "winning", group: null, supposed: false });
}

// Moves a tile to the hand ("concealed"), among the flowers, or out of it ("stray").
export function setRole(draft, id, role) {
  const tile = tileOf(draft, id);
  const changed = change(draft, (one) => one.id === id, { role, group: null, unsure: role === "stray" ? false : tile.unsure });
  const moved = role === "concealed" ? intoHand(changed, [id]) : changed;
  return tile.role === "meld" ? tidy(moved, tile.group) : moved;
}

export function makeMeld(draft, ids, concealed) {
  const group = draft.tiles.reduce((highest, tile) => Math.max(highest, tile.group ?? -1), -1) + 1;
  const melded = change(draft, (tile) => ids.includes(tile.id), { role: "meld", group });
  const done = concealed ? { ...melded, hidden: [...melded.hidden, group] } : melded;
  return ids.length === 4 ? afterKong(done) : done;
}

export function extendToKong(draft, group, id) {
  return afterKong(change(draft, (tile) => tile.id === id, { role: "meld", group }));
}

export function toggleHidden(draft, group) {
  const hidden = draft.hidden.includes(group)
    ? draft.hidden.filter((one) => one !== group)
    : [...draft.hidden, group];
  return { ...draft, hidden };
}

export function setCondition(draft, name, value) {
  const conditions = { ...draft.conditions, [name]: value };
  if (conditions.profile !== "platform") conditions.opening = null; // only its list knows opening wins
  // A robbed kong and a replacement tile share a switch; the one does not follow from the other.
  if (conditions.self_drawn !== draft.conditions.self_drawn) conditions.kong = false;
  const discarder = draft.discarder === conditions.seat_wind ? null : draft.discarder;
  return { ...draft, conditions, discarder };
}

export function setDiscarder(draft, seat) {
  return { ...draft, discarder: seat };
}

// The melds that this tile of the hand can make with others of the hand: [{ kind, ids, faces, group? }, …].
export function meldsWith(draft, id) {
  const tile = tileOf(draft, id);
  if (!tile || tile.role !== "concealed" || tile.face === "back" || isFlower(tile.face)) return [];
  const place = draft.tiles.indexOf(tile);
  // Of several equal tiles the nearest to this one is taken.
  const near = inRole(draft, "concealed")
    .filter((one) => one.id !== id)
    .sort((a, b) => Math.abs(draft.tiles.indexOf(a) - place) - Math.abs(draft.tiles.indexOf(b) - place));
  const pick = (faces) => {
    const ids = [id];
    for (const face of faces) {
      const found = near.find((one) => one.face === face && !ids.includes(one.id));
      if (!found) return null;
      ids.push(found.id);
    }
    return ids;
  };
  const melds = [];
  const offer = (kind, others, faces) => {
    const ids = pick(others);
    if (ids) melds.push({ kind, ids, faces });
  };
  const { face } = tile;
  const [rank, suit] = [Number(face[0]), face[1]];
  offer("pung", [face, face], [face, face, face]);
  offer("melded_kong", [face, face, face], [face, face, face, face]);
  offer("concealed_kong", [face, face, face], [face, face, face, face]);
  if (suit !== "z") {
    for (let low = Math.max(1, rank - 2); low <= Math.min(7, rank); low += 1) {
      const faces = [low, low + 1, low + 2].map((one) => `${one}${suit}`);
      offer("chow", faces.filter((one) => one !== face), faces);
    }
  }
  for (const group of groupsOf(draft)) {
    const members = membersOf(draft, group);
    if (members.length === 3 && members.every((one) => one.face === face)) {
      melds.push({ kind: "melded_kong", ids: [id], faces: [face, face, face, face], group });
    }
  }
  return melds;
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
  const free = draft.tiles.filter((tile) => tile.role !== "stray" && tile.role !== "flower").map((tile) => tile.id);
  let laid = change(draft, (tile) => free.includes(tile.id), { group: null, role: "concealed" });
  laid = { ...laid, hidden: [] };
  const take = (face, groups) => {
    const rank = (id) => {
      const before = tileOf(draft, id);
      const place = groups.indexOf(before.role);
      return place < 0 ? groups.length : place;
    };
    const found = free
      .filter((id) => tileOf(laid, id).face === face)
      .sort((a, b) => rank(a) - rank(b))[0];
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

// The tiles that make a fan: `sets` are lists of faces, each matched with a meld of those faces or with loose tiles.
export function tilesOf(draft, sets) {
  const lit = new Set();
  const melds = groupsOf(draft).map((group) => membersOf(draft, group));
  const loose = [...inRole(draft, "concealed"), ...inRole(draft, "winning"), ...inRole(draft, "flower")];
  for (const faces of sets) {
    const same = (members) => sorted(members.map((tile) => tile.face)).join() === sorted(faces).join();
    const meld = melds.find((members) => same(members) && !members.every((tile) => lit.has(tile.id)));
    if (meld) {
      meld.forEach((tile) => lit.add(tile.id));
      continue;
    }
    const pool = [...loose, ...melds.flat()];
    const used = new Set();
    for (const face of faces) {
      const fresh = pool.find((tile) => tile.face === face && !used.has(tile.id) && !lit.has(tile.id));
      const tile = fresh || pool.find((one) => one.face === face && !used.has(one.id));
      if (tile) {
        used.add(tile.id);
      }
    }
    used.forEach((id) => lit.add(id));
  }
  return lit;
}

// Undo and redo: drafts behind, the one shown, drafts ahead.
const MAX_PAST = 60;

export function startHistory(draft) {
  return { past: [], now: draft, ahead: [] };
}

export function step(history, draft) {
  return { past: [...history.past, history.now].slice(-MAX_PAST), now: draft, ahead: [] };
}

export function undo(history) {
  if (!history.past.length) return history;
  return { past: history.past.slice(0, -1), now: history.past.at(-1), ahead: [history.now, ...history.ahead] };
}

export function redo(history) {
  if (!history.ahead.length) return history;
  return { past: [...history.past, history.now], now: history.ahead[0], ahead: history.ahead.slice(1) };
}
