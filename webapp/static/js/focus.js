// Where the keyboard goes on: what can no longer be pressed, or is gone, never drops it back to the top of the page.

function usable(key) {
  return document.querySelector(`[data-key="${key}"]:not(:disabled)`);
}

// Focuses the element of this key; for a tool that is disabled by now another one, else the hand as a whole.
export function focusOn(key) {
  const board = document.getElementById("board");
  const tool = ["undo", "redo", "clear"].includes(key) && (usable("undo") || usable("redo"));
  const target = usable(key) || tool || board;
  target.focus({ preventScroll: key === "close" || target === board });
}
