// In the last round: what each player needs to reach a better place.

import { gettext, h } from "../dom.js";

const shown = (points) => (points === null ? "–" : String(points));

export function drawNeeds(section, { match }) {
  section.hidden = match.needs.length === 0;
  const rows = match.needs.map((need) => {
    const from = need.discards.map(({ from: other, points }) =>
      gettext("from %(name)s %(points)s", { name: match.players[other], points: shown(points) }),
    );
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, match.players[need.player]),
      h("td", {}, gettext("place %(rank)s", { rank: need.rank })),
      h("td", {}, shown(need.self_drawn)),
      h("td", {}, from.join(", ")),
    );
  });
  section.replaceChildren(
    h("h2", {}, gettext("Points needed")),
    h("p", { class: "hint" }, gettext("The smallest win in this hand that reaches the place.")),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": gettext("Points needed") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            [gettext("Player"), gettext("For"), gettext("Self-drawn"), gettext("On a discard")].map((label) =>
              h("th", { scope: "col" }, label),
            ),
          ),
        ),
        h("tbody", {}, rows),
      ),
    ),
  );
}
