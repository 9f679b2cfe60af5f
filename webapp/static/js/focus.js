// Where the keyboard focus goes when the focused button is gone or disabled, so that it never starts at the top again.

function usable(key) {
  return document.querySelector(`[data-key="${key}"]:not(:disabled)`);
}

// Focuses the element with this key. If it is a tool that is now disabled, another tool; otherwise the whole hand.
export function focusOn(key) {
  const board = document.getElementById("board");
  const tool = ["undo", "redo", "clear"].includes(key) && (usable("undo") || usable("redo"));
  const target = usable(key) || tool || board;
  target.focus({ preventScroll: key === "close" || target === board });
}
