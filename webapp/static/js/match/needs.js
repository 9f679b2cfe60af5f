// In the last round: what each player needs to reach a better place.

import { gettext, h } from "../dom.js";

const shown = (points) => (points === null || points === undefined ? "–" : String(points));

export function drawNeeds(section, { match }) {
  section.hidden = match.needs.length === 0;
  const rows = match.needs.map((need) => {
    const from = Object.fromEntries(need.discards.map((one) => [one.from, one.points]));
    const goal = h(
      "th",
      { scope: "row" },
      h("span", {}, match.players[need.player]),
      h("small", {}, gettext("place %(rank)s", { rank: need.rank })),
    );
    const cells = [need.self_drawn, ...match.players.map((_, player) => from[player])];
    return h(
      "tr",
      { "data-need": `${need.player}-${need.rank}` },
      goal,
      cells.map((points) => h("td", {}, shown(points))),
    );
  });
  const labels = [gettext("For"), gettext("Self-drawn"), ...match.players];
  section.replaceChildren(
    h("h2", {}, gettext("Points needed")),
    h(
      "p",
      { class: "hint" },
      gettext("The smallest win in this hand that reaches the place: self-drawn, or on whose discard."),
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": gettext("What each player needs") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            labels.map((label) => h("th", { scope: "col" }, label)),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ),
  );
}
