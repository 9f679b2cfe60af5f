// The table: which hand is in play, who sits where, and how everybody stands; readable from two metres.

import { gettext, h } from "../dom.js";
import { signed, windName } from "../words.js";
import { seatsPicture } from "./seats_form.js";

function roundName(wind) {
  return {
    E: gettext("East round"),
    S: gettext("South round"),
    W: gettext("West round"),
    N: gettext("North round"),
  }[wind];
}

export function drawNow(section, { match }) {
  const place = gettext("Hand %(hand)s of %(hands)s", { hand: match.hand_number, hands: match.hands });
  const dealer = gettext("%(name)s deals", { name: match.players[match.dealer] });
  const lines = match.over
    ? [h("b", {}, gettext("The match is over"))]
    : [h("b", {}, roundName(match.prevalent_wind)), h("span", {}, place), h("span", {}, dealer)];
  const seats = match.seats_change_now && seatsChange(match);
  section.replaceChildren(...[...lines, timeLeft(match), seats].filter(Boolean));
}

function timeLeft(match) {
  if (!match.settings.minutes || match.over) return null;
  const ends = new Date(match.started_at).getTime() + match.settings.minutes * 60000;
  const left = Math.ceil((ends - Date.now()) / 60000);
  const text =
    left > 0
      ? gettext("%(minutes)s min left", { minutes: left })
      : gettext("Time is up: finish this hand, then end the match");
  return h("span", { class: left > 0 ? "" : "late" }, text);
}

function seatsChange(match) {
  return h(
    "div",
    { class: "seats-change", role: "status" },
    h("b", {}, gettext("Change seats now")),
    seatsPicture(match),
  );
}

// The seats in the order of play, East first; the list is laid out as a table by the style sheet.
export function drawTable(section, { match }) {
  const ranks = new Map(match.standings.map((one) => [one.player, one.rank]));
  const seat = (wind) => {
    const player = match.seats.indexOf(wind);
    const total = match.totals[player];
    return h(
      "div",
      {
        class: "seat",
        "data-wind": wind,
        "data-player": String(player),
        "aria-current": wind === "E" && "true",
      },
      h("span", { class: "wind" }, windName(wind)),
      h("span", { class: "name" }, match.players[player]),
      h("b", { class: "total" }, total === 0 ? "0" : signed(total)),
      h("small", { class: "rank" }, gettext("place %(rank)s", { rank: ranks.get(player) })),
    );
  };
  section.replaceChildren(...["E", "S", "W", "N"].map(seat));
}
