// Who sits where: four names that this browser remembers and that stand beside the payments.

import { players, setPlayers } from "./memory.js";
import { SEATS } from "./model.js";

// Calls `changed` whenever a name changes.
export function listenToPlayers(changed) {
  // In a match the players are the match's.
  if (!document.getElementById("players")) return;
  const inputs = new Map(
    [...document.querySelectorAll("#players input")].map((input) => [input.dataset.seat, input]),
  );
  const show = () => {
    const named = players();
    for (const [seat, input] of inputs) input.value = named[seat];
  };
  const keep = () => {
    setPlayers(Object.fromEntries(SEATS.map((seat) => [seat, inputs.get(seat).value.trim()])));
    changed();
  };
  // Saved at every letter. Saving when the field loses the focus would redraw the button that is being tapped.
  for (const input of inputs.values()) input.addEventListener("input", keep);
  // Another window may have changed them.
  window.addEventListener("storage", () => {
    show();
    changed();
  });
  show();
}
