// Dragging a tile of the hand to where it belongs: a mouse takes it at once, a finger after resting on it, so that a
// swipe still scrolls. Whatever a drag does, the sheet of the tile does by taps.

import { tileArt } from "./dom.js";

const REST_MS = 350;
const MOVED_PX = 7;

// `ondrop(id, place)` gets the tile and the `data-drop` of what it was let go over.
export function listenToDrags(board, ondrop) {
  let held = null; // { id, face, x, y, pointer, timer, ghost }

  function place(x, y) {
    const under = document.elementFromPoint(x, y);
    return under ? under.closest("[data-drop]") : null;
  }

  function mark(target) {
    for (const one of document.querySelectorAll(".over[data-drop]"))
      if (one !== target) one.classList.remove("over");
    if (target) target.classList.add("over");
  }

  function follow(x, y) {
    held.ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -60%)`;
    mark(place(x, y));
  }

  function lift(x, y) {
    held.ghost = document.createElement("div");
    held.ghost.className = "tile ghost";
    held.ghost.append(tileArt(held.face));
    document.body.append(held.ghost);
    document.body.classList.add("dragging");
    follow(x, y);
  }

  function letGo() {
    if (!held) return;
    clearTimeout(held.timer);
    if (held.ghost) {
      held.ghost.remove();
      mark(null);
      document.body.classList.remove("dragging");
    }
    held = null;
  }

  board.addEventListener("pointerdown", (event) => {
    const tile = event.target.closest("[data-tile]");
    letGo();
    if (!tile || event.button !== 0) return;
    const { clientX: x, clientY: y } = event;
    held = { id: Number(tile.dataset.tile), face: tile.dataset.face, x, y, pointer: event.pointerId };
    if (event.pointerType !== "mouse") held.timer = setTimeout(() => lift(x, y), REST_MS);
  });

  document.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const moved = Math.hypot(event.clientX - held.x, event.clientY - held.y) > MOVED_PX;
    if (held.ghost) follow(event.clientX, event.clientY);
    else if (moved && event.pointerType === "mouse") lift(event.clientX, event.clientY);
    else if (moved) letGo();
  });

  document.addEventListener("pointerup", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    const { id, ghost } = held;
    const target = ghost && place(event.clientX, event.clientY);
    letGo();
    if (!ghost) return;
    // The click that ends a drag is no tap on the tile.
    const swallow = (click) => {
      click.preventDefault();
      click.stopPropagation();
    };
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
    if (target) ondrop(id, target.dataset.drop);
  });

  document.addEventListener("pointercancel", letGo);
  document.addEventListener("keydown", (event) => event.key === "Escape" && letGo());
  // Once a tile is lifted, the finger moves it and not the page.
  board.addEventListener("touchmove", (event) => held?.ghost && event.preventDefault(), { passive: false });
  board.addEventListener("contextmenu", (event) => held && event.preventDefault());
}
