// How much more the hand takes: `room` of an answer of /assess, { tiles, faces }. `tiles` is null for any number.

import { gettext, tileName } from "./dom.js";
import { isFlower } from "./model.js";

// Why this face cannot be added, or "".
export function whyNot(room, face) {
  if (room.tiles === 0 && !isFlower(face)) {
    return gettext("The hand is complete. Mark a kong or remove a tile first.");
  }
  if (room.faces[face] === 0) {
    return gettext("The hand already holds every copy of %(tile)s.", { tile: tileName(face) });
  }
  return "";
}

// The room after adding this face, until the next answer says it anew.
export function roomAfter(room, face) {
  const tiles = isFlower(face) || room.tiles === null ? room.tiles : room.tiles - 1;
  return { tiles, faces: { ...room.faces, [face]: room.faces[face] - 1 } };
}
