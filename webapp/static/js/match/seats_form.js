// The dialog that mends the seats: a tap on two players swaps them. Also the picture of who sits where.

import { gettext, h, svg } from "../dom.js";
import { windName } from "../words.js";
import { saveButton, shell } from "./forms.js";

const WINDS = ["E", "S", "W", "N"];

export function seatsForm(match, done) {
  const seated = WINDS.map((wind) => match.seats.indexOf(wind));
  let lifted = null;
  const buttons = WINDS.map((wind, place) =>
    h(
      "button",
      {
        type: "button",
        class: "button",
        "data-wind": wind,
        "aria-pressed": "false",
        onclick: () => pick(place),
      },
      h("small", {}, windName(wind)),
      h("span", {}, ""),
    ),
  );
  const pick = (place) => {
    if (lifted === null) lifted = place;
    else {
      [seated[lifted], seated[place]] = [seated[place], seated[lifted]];
      lifted = null;
    }
    draw();
  };
  const draw = () => {
    for (const [place, button] of buttons.entries()) {
      button.lastChild.textContent = match.players[seated[place]];
      button.setAttribute("aria-pressed", String(place === lifted));
    }
    save.disabled = seated.every((player, place) => match.seats[player] === WINDS[place]);
  };
  const save = saveButton(() => {
    // Who should have drawn each seat, so that everybody sits where the form says in the hand in play.
    const order = WINDS.map((drawn) => {
      const now = match.seats[match.drawn.indexOf(drawn)];
      return seated[WINDS.indexOf(now)];
    });
    done({ kind: "seats_corrected", order, from_hand: match.hand_number });
  });
  draw();
  return shell(
    gettext("Who sits where?"),
    [
      h(
        "p",
        { class: "hint" },
        gettext("Tap two players to swap them. It counts from this hand on; points stay with the players."),
      ),
      h("div", { class: "seats-form" }, buttons),
    ],
    save,
  );
}

// Where everybody sits now, as a picture.
export function seatsPicture(match) {
  const places = {
    E: [120, 108, "middle"],
    S: [166, 62, "start"],
    W: [120, 18, "middle"],
    N: [74, 62, "end"],
  };
  const names = Object.entries(places).map(([wind, [x, y, anchor]]) =>
    svg(
      "text",
      { x, y, "text-anchor": anchor },
      `${windName(wind)}: ${match.players[match.seats.indexOf(wind)]}`,
    ),
  );
  return svg(
    "svg",
    { viewBox: "0 0 240 124", role: "img", "aria-label": gettext("The new seats") },
    svg("rect", { x: 80, y: 28, width: 80, height: 62, rx: 6 }),
    names,
  );
}
