// The result of a match: places with ties, table points, and the best hand.

import { gettext, h } from "../dom.js";
import { signed } from "../words.js";
import { shareButton } from "./files.js";

const tablePoints = (number) => (Number.isInteger(number) ? String(number) : number.toFixed(2));

export function drawEnd(section, { match, key }) {
  section.hidden = !match.over;
  if (!match.over) return;
  const rows = match.standings.map((one) =>
    h(
      "tr",
      {},
      h("td", {}, String(one.rank)),
      h("th", { scope: "row" }, match.players[one.player]),
      h("td", {}, one.total === 0 ? "0" : signed(one.total)),
      h("td", {}, tablePoints(one.table_points)),
    ),
  );
  const labels = [gettext("Place"), gettext("Player"), gettext("Points"), gettext("Table points")];
  section.replaceChildren(
    h("h2", {}, gettext("Result")),
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
    ...[bestHand(match)].filter(Boolean),
    h("p", { class: "row" }, shareButton(key)),
  );
}

function bestHand(match) {
  if (!match.best_hand) return null;
  const row = match.rows[match.best_hand.hand_number - 1];
  return h(
    "p",
    {},
    gettext("Best hand: %(name)s, %(points)s points in hand %(hand)s", {
      name: match.players[row.winner],
      points: match.best_hand.points,
      hand: match.best_hand.hand_number,
    }),
  );
}
