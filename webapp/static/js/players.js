// Who sits where: four names, kept in this browser and written beside the payments.

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
  // At every letter: at the end of it all a tap elsewhere would find what it aims at just drawn anew.
  for (const input of inputs.values()) input.addEventListener("input", keep);
  // The deal passes on: who sat South is East now, and so on; who was East sits North.
  document.getElementById("next-deal").addEventListener("click", () => {
    const named = players();
    setPlayers(Object.fromEntries(SEATS.map((seat, place) => [seat, named[SEATS[(place + 1) % 4]]])));
    show();
    changed();
  });
  // Another window may have changed them.
  window.addEventListener("storage", () => {
    show();
    changed();
  });
  show();
}
