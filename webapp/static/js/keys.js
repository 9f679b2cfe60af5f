// The keyboard: 3m types a tile, arrows walk along the hand, Enter opens a tile, Ctrl+Z undoes, Ctrl+Enter
// confirms.

import { FACES } from "./model.js";

const STALE_MS = 2000; // older digits do not belong to the next suit letter

// page: { save, undo, redo, closeSheet, addFace, replace(id, face), remove(id), selected() }
export function listenToKeys(page) {
  let digits = "";
  let typedAt = 0;

  function aimed() {
    const focused = document.activeElement?.closest?.("#board [data-tile]");
    return focused ? Number(focused.dataset.tile) : page.selected();
  }

  function walk(by) {
    const tiles = [...document.querySelectorAll("#board [data-tile], #board .add")];
    const place = tiles.indexOf(document.activeElement);
    const next = tiles[place < 0 ? 0 : Math.min(tiles.length - 1, Math.max(0, place + by))];
    if (next) next.focus();
  }

  function type(key, now) {
    if (now - typedAt > STALE_MS) digits = "";
    typedAt = now;
    if (/^[1-9]$/.test(key)) {
      digits = (digits + key).slice(-14);
      return true;
    }
    const faces = [...digits].map((digit) => digit + key);
    if (!faces.length || !faces.every((face) => FACES.includes(face))) return false;
    digits = "";
    const id = aimed();
    if (id !== null && faces.length === 1) page.replace(id, faces[0]);
    else faces.forEach(page.addFace);
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, textarea, select")) return;
    const command = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    let done = true;
    if (command && key === "z") (event.shiftKey ? page.redo : page.undo)();
    else if (command && key === "y") page.redo();
    else if (command && key === "enter") page.save();
    else if (command || event.altKey) return;
    else if (key === "escape") page.closeSheet();
    else if (key === "arrowright") walk(1);
    else if (key === "arrowleft") walk(-1);
    else if ((key === "delete" || key === "backspace") && aimed() !== null) page.remove(aimed());
    else if (/^[1-9mpszf]$/.test(key)) done = type(key, event.timeStamp);
    else return;
    if (done) event.preventDefault();
  });
}
