// Choosing the hand in the photo: a box drawn around it, or a tap on one of its tiles, which means its row.

import { svg } from "./dom.js";
import { swallowClick } from "./drag.js";

const LEAST_PX = 10; // a shorter way of the finger is a tap

export function inBox(tiles, [x0, y0], [x1, y1]) {
  const within = (value, one, other) => Math.min(one, other) <= value && value <= Math.max(one, other);
  return tiles.filter(({ at }) => within(at[0], x0, x1) && within(at[1], y0, y1));
}

export function rowOf(tiles, id) {
  const tapped = tiles.find((tile) => tile.id === id);
  return tapped ? tiles.filter((tile) => tile.row === tapped.row) : [];
}

// While `view.isChoosing()`, a drag on the canvas of the photo draws a box. `view` also has toPhoto, choose (gets the
// chosen tiles) and tiles() (those of the photo that is shown).
export function listenForBox(canvas, view) {
  let from = null;
  let box = null;

  function letGo() {
    box?.remove();
    [from, box] = [null, null];
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (!view.isChoosing() || !event.isPrimary) return;
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    const tile = event.target.closest("[data-tile]");
    from = { x: event.clientX, y: event.clientY, tile: tile && Number(tile.dataset.tile) };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!from) return;
    if (!box && Math.hypot(event.clientX - from.x, event.clientY - from.y) < LEAST_PX) return;
    box ??= canvas.appendChild(svg("rect", { class: "choice-box" }));
    const [[x0, y0], [x1, y1]] = [view.toPhoto(from.x, from.y), view.toPhoto(event.clientX, event.clientY)];
    const sides = {
      x: Math.min(x0, x1),
      y: Math.min(y0, y1),
      width: Math.abs(x1 - x0),
      height: Math.abs(y1 - y0),
    };
    for (const [name, value] of Object.entries(sides)) box.setAttribute(name, value);
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!from) return;
    const { x, y, tile } = from;
    const [start, end] = [view.toPhoto(x, y), view.toPhoto(event.clientX, event.clientY)];
    const found = box ? inBox(view.tiles(), start, end) : rowOf(view.tiles(), tile);
    letGo();
    // The tap has chosen a row and is not one on the tile.
    swallowClick();
    if (found.length) view.choose(found);
  });
  canvas.addEventListener("pointercancel", letGo);
}
