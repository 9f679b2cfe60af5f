// The hand being put right, as a frozen value, and every change a person can make to it.
//
// A draft: { photos, tiles, hidden, conditions, discarder }.
//   photos: of this hand, each { photo, width, height } with the address of the picture.
//   tiles: in the order they lie; each { id, face, seen, role, group, alternatives, photo, quad, unsure, doubt }.
//     doubt: what is not sure: "kong" for the kind of its kong, "role" for its place, else its face.
//     seen: the face as the reader saw it, undefined for a tile added by hand.
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

export function isFlower(face) {
  return face.endsWith("f");
}

export function emptyDraft() {
  return { photos: [], tiles: [], hidden: [], conditions: { ...CONDITIONS }, discarder: null };
}

export function newTile(draft, face, role, group = null) {
  const id = draft.tiles.reduce((highest, tile) => Math.max(highest, tile.id), -1) + 1;
  return {
    id,
    face,
    role,
    group,
    alternatives: [],
    confidence: null,
    photo: null,
    quad: null,
    unsure: false,
  };
}

export function change(draft, which, changes) {
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

// Whoever says where a tile belongs settles every doubt but that about its face.
function placed(tile) {
  return { unsure: tile.unsure && !["kong", "role"].includes(tile.doubt) };
}

export function settle(draft, ids) {
  return {
    ...draft,
    tiles: draft.tiles.map((tile) => (ids.includes(tile.id) ? { ...tile, ...placed(tile) } : tile)),
  };
}

// Puts tiles among the concealed ones, each behind the last that does not come after it in the order of faces.
function intoHand(draft, ids) {
  return ids.reduce((before, id) => {
    const held = tileOf(before, id);
    const tile = { ...held, ...placed(held), role: "concealed", group: null };
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
  return intoHand(
    draft,
    supposed.map((tile) => tile.id),
  );
}

export function removeTile(draft, id) {
  const tile = tileOf(draft, id);
  const left = { ...draft, tiles: draft.tiles.filter((one) => one.id !== id) };
  return tile.role === "meld" ? tidy(left, tile.group) : left;
}

// A meld of fewer than three tiles is none any more, and one of three is no kong of either kind.
function tidy(draft, group) {
  const members = membersOf(draft, group);
  if (members.length < 3) return dissolve(draft, group);
  return members.length < 4
    ? settle(
        draft,
        members.map((tile) => tile.id),
      )
    : draft;
}

export function dissolve(draft, group) {
  const loose = intoHand(
    draft,
    membersOf(draft, group).map((tile) => tile.id),
  );
  return { ...loose, hidden: loose.hidden.filter((one) => one !== group) };
}

export function makeWinning(draft, id) {
  const tile = tileOf(draft, id);
  const free = tile.role === "meld" ? dissolve(draft, tile.group) : draft;
  const back = intoHand(
    free,
    inRole(free, "winning").map((one) => one.id),
  );
  return change(back, (one) => one.id === id, {
    ...placed(tile),
    role: "winning",
    group: null,
    supposed: false,
  });
}

// A tile that joins a meld, whatever the meld is then: the kind follows from its tiles. Four are the most.
export function joinMeld(draft, group, id) {
  const tile = tileOf(draft, id);
  if (
    membersOf(draft, group).length >= 4 ||
    isFlower(tile.face) ||
    (tile.role === "meld" && tile.group === group)
  )
    return draft;
  const joined = change(draft, (one) => one.id === id, { ...placed(tile), role: "meld", group });
  return afterKong(tile.role === "meld" ? tidy(joined, tile.group) : joined);
}

// Out of the hand: what the camera saw can be taken back, what was added by hand is gone.
export function leaveOut(draft, id) {
  return tileOf(draft, id).quad ? setRole(draft, id, "stray") : removeTile(draft, id);
}

// Moves a tile to where it was dropped: "winning", "concealed", "flower", "out", or the number of a meld.
export function dropped(draft, id, place) {
  const tile = tileOf(draft, id);
  if (tile.role === place) return draft;
  if (place === "winning") return isFlower(tile.face) ? draft : makeWinning(draft, id);
  if (place === "concealed") return setRole(draft, id, isFlower(tile.face) ? "flower" : "concealed");
  if (place === "flower") return isFlower(tile.face) ? setRole(draft, id, "flower") : draft;
  if (place === "out") return leaveOut(draft, id);
  return joinMeld(draft, Number(place), id);
}

// Moves a tile to the hand ("concealed"), among the flowers, or out of it ("stray").
export function setRole(draft, id, role) {
  const tile = tileOf(draft, id);
  const changed = change(draft, (one) => one.id === id, {
    ...(role === "stray" ? { unsure: false } : placed(tile)),
    role,
    group: null,
  });
  const moved = role === "concealed" ? intoHand(changed, [id]) : changed;
  return tile.role === "meld" ? tidy(moved, tile.group) : moved;
}

export function makeMeld(draft, ids, concealed) {
  const group = draft.tiles.reduce((highest, tile) => Math.max(highest, tile.group ?? -1), -1) + 1;
  const melded = change(settle(draft, ids), (tile) => ids.includes(tile.id), { role: "meld", group });
  const done = concealed ? { ...melded, hidden: [...melded.hidden, group] } : melded;
  return ids.length === 4 ? afterKong(done) : done;
}

export function extendToKong(draft, group, id) {
  return afterKong(change(settle(draft, [id]), (tile) => tile.id === id, { role: "meld", group }));
}

// Says of which kind a kong is.
export function setHidden(draft, group, concealed) {
  const others = draft.hidden.filter((one) => one !== group);
  const said = settle(
    draft,
    membersOf(draft, group).map((tile) => tile.id),
  );
  return { ...said, hidden: concealed ? [...others, group] : others };
}

export function toggleHidden(draft, group) {
  return setHidden(draft, group, !draft.hidden.includes(group));
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
  if (tile?.role !== "concealed" || tile.face === "back" || isFlower(tile.face)) return [];
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
      offer(
        "chow",
        faces.filter((one) => one !== face),
        faces,
      );
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
