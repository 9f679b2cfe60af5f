// The hand as text: reading what somebody types or pastes, and hands that come in the address of the page.

import { ApiError, call } from "./api.js";
import { complain } from "./dom.js";
import { fromHand, fromLink } from "./intake.js";
import { copy } from "./share.js";

const field = document.getElementById("notation-text");

// Shows the notation of the hand, except to somebody who is typing.
export function showNotation(notation) {
  if (notation && document.activeElement !== field) field.value = notation;
}

// `empty()` gives the draft without tiles that a hand is laid into, `take` gets the hand that was read.
export function listenToNotation(empty, take) {
  const complaint = document.getElementById("notation-error");
  document.getElementById("notation-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    complaint.hidden = true;
    try {
      const hand = await call("POST", "/notation", { text: field.value });
      field.blur();
      take(fromHand(hand, empty(), field.value.includes("|")));
      // The hand is at the top of the page, above the conditions and this field.
      window.scrollTo(0, 0);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      complaint.textContent = error.message;
      complaint.dataset.code = error.code;
      complaint.hidden = false;
    }
  });
  document.getElementById("notation-copy").addEventListener("click", () => copy(field.value));
}

// The hand of a shared link replaces what this browser remembers; undo brings that back.
export async function openLinked(empty, take) {
  const asked = new URLSearchParams(location.search);
  const text = asked.get("h");
  if (!text) return;
  const left = new URLSearchParams(asked);
  for (const name of [...asked.keys()]) if (!["match", "of"].includes(name)) left.delete(name);
  window.history.replaceState(null, "", `${location.pathname}${[...left].length ? `?${left}` : ""}`);
  try {
    take(fromLink(await call("POST", "/notation", { text }), asked, empty()));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
  }
}
