// Sentences that several parts of the page share.

import { gettext, ngettext } from "./dom.js";
import { players } from "./memory.js";

export function windName(seat) {
  return { E: gettext("East"), S: gettext("South"), W: gettext("West"), N: gettext("North") }[seat];
}

let seated = null;

// In a match its players sit at the seats, whoever this browser remembers from single hands.
export function nameSeats(names) {
  seated = names ?? null;
}

// The name of the player at a seat, or "".
export function playerName(seat) {
  return (seated ?? players())[seat];
}

export function totalText(score) {
  return ngettext("%(number)s point", "%(number)s points", score.total);
}

export function signed(points) {
  return points > 0 ? `+${points}` : `−${-points}`;
}
