// Dragging a tile of the hand to where it belongs: a mouse takes it at once, a finger after resting on it, so that a
// swipe still scrolls. Whatever a drag does, the sheet of the tile does by taps.

import { tileArt } from "./dom.js";

const REST_MS = 350;
const MOVED_PX = 7;

function targetAt(x, y) {
  return document.elementFromPoint(x, y)?.closest("[data-drop]") ?? null;
}

function mark(target) {
  for (const one of document.querySelectorAll(".over[data-drop]")) {
    if (one !== target) one.classList.remove("over");
  }
  target?.classList.add("over");
}

// The click that ends a drag is no tap on the tile.
export function swallowClick() {
  const swallow = (click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
}

// A tile under the pointer, and its picture beside the pointer once it is lifted.
class Held {
  constructor(tile, { clientX: x, clientY: y, pointerId, pointerType }) {
    this.id = Number(tile.dataset.tile);
    this.face = tile.dataset.face;
    this.from = [x, y];
    this.pointer = pointerId;
    this.ghost = null;
    this.timer = pointerType === "mouse" ? null : setTimeout(() => this.lift(x, y), REST_MS);
  }

  movedTo(x, y) {
    return Math.hypot(x - this.from[0], y - this.from[1]) > MOVED_PX;
  }

  lift(x, y) {
    this.ghost = document.createElement("div");
    this.ghost.className = "tile ghost";
    this.ghost.append(tileArt(this.face));
    document.body.append(this.ghost);
    document.body.classList.add("dragging");
    this.follow(x, y);
  }

  follow(x, y) {
    this.ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -60%)`;
    mark(targetAt(x, y));
  }

  letGo() {
    clearTimeout(this.timer);
    if (!this.ghost) return;
    this.ghost.remove();
    mark(null);
    document.body.classList.remove("dragging");
  }
}

// `ondrop(id, place)` gets the tile and the `data-drop` of the part that it was dropped on.
export function listenToDrags(board, ondrop) {
  let held = null;
  const letGo = () => {
    held?.letGo();
    held = null;
  };
  const move = ({ pointerId, pointerType, clientX: x, clientY: y }) => {
    if (!held || pointerId !== held.pointer) return;
    if (held.ghost) held.follow(x, y);
    else if (!held.movedTo(x, y)) return;
    else if (pointerType === "mouse") held.lift(x, y);
    else letGo();
  };
  const drop = ({ pointerId, clientX, clientY }) => {
    if (!held || pointerId !== held.pointer) return;
    const { id, ghost } = held;
    const target = ghost && targetAt(clientX, clientY);
    letGo();
    if (!ghost) return;
    swallowClick();
    if (target) ondrop(id, target.dataset.drop);
  };

  board.addEventListener("pointerdown", (event) => {
    letGo();
    const tile = event.target.closest("[data-tile]");
    if (tile && event.button === 0) held = new Held(tile, event);
  });
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", letGo);
  document.addEventListener("keydown", (event) => event.key === "Escape" && letGo());
  // Once a tile is lifted, the finger moves the tile and not the page.
  board.addEventListener("touchmove", (event) => held?.ghost && event.preventDefault(), { passive: false });
  board.addEventListener("contextmenu", (event) => held && event.preventDefault());
}
