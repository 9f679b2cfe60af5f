// The score sheet: a row per hand, a column per player in an order that never changes, penalties and sums.

import { gettext, h } from "../dom.js";
import { signed } from "../words.js";

const points = (number) => (number === 0 ? "0" : signed(number));

export function drawSheet(columns, table, view) {
  drawChoice(columns, view);
  const { match } = view;
  table.replaceChildren(
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, gettext("Hand")),
        match.players.map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    h("tbody", {}, rows(view)),
    h("tfoot", {}, sums(match)),
  );
}

function drawChoice(columns, { running, setRunning }) {
  const choices = [
    [true, gettext("Running")],
    [false, gettext("Each hand")],
  ];
  columns.replaceChildren(
    ...choices.map(([value, label]) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(value === running), onclick: () => setRunning(value) },
        label,
      ),
    ),
  );
}

function rows(view) {
  const { match } = view;
  const drawn = [];
  for (const row of match.rows) {
    for (const charge of match.charges.filter((one) => row.charges.includes(one.entry))) {
      if (charge.entry !== row.entry) drawn.push(chargeRow(charge, view));
    }
    drawn.push(handRow(row, view));
  }
  const later = match.charges.filter((one) => !match.rows.some((row) => row.charges.includes(one.entry)));
  drawn.push(...later.map((charge) => chargeRow(charge, view)));
  for (let number = match.rows.length + 1; number <= match.hands && !match.over; number += 1) {
    drawn.push(
      h(
        "tr",
        { class: "empty" },
        h("th", { scope: "row" }, String(number)),
        match.players.map(() => h("td")),
      ),
    );
  }
  return drawn;
}

function handRow(row, view) {
  const corrected = row.versions > 1 && h("small", { class: "mark" }, gettext("corrected"));
  const label = h(
    "button",
    { type: "button", class: "quiet", onclick: () => view.open(row.entry), "data-entry": String(row.entry) },
    String(row.number),
  );
  const shown = view.running ? row.running : row.gains;
  return h(
    "tr",
    { class: row.kind, "data-hand": String(row.number) },
    h("th", { scope: "row" }, label, corrected, outcome(row)),
    shown.map((number, player) =>
      h(
        "td",
        { class: player === row.winner ? "won" : player === row.discarder ? "dealt-in" : "" },
        points(number),
      ),
    ),
  );
}

function outcome(row) {
  if (row.kind === "draw") return h("small", {}, row.timed_out ? gettext("time") : gettext("draw"));
  return row.kind === "win" ? null : h("small", {}, gettext("penalty"));
}

function chargeRow(charge, view) {
  const reason = charge.reason || (charge.kind === "false_win" ? gettext("False win") : gettext("Penalty"));
  const withdraw =
    view.mayEnter &&
    h(
      "button",
      { type: "button", class: "quiet", onclick: () => view.remove(charge.entry) },
      gettext("Withdraw"),
    );
  return h(
    "tr",
    { class: "charge", "data-charge": String(charge.entry) },
    h("th", { scope: "row" }, h("small", {}, reason), withdraw),
    charge.gains.map((number) => h("td", {}, number === 0 ? "" : points(number))),
  );
}

function sums(match) {
  const paid = match.table === 0 ? "" : gettext("the table: %(points)s", { points: points(match.table) });
  const sum = match.totals.reduce((total, one) => total + one, match.table);
  return [
    h(
      "tr",
      {},
      h("th", { scope: "row" }, gettext("Total")),
      match.totals.map((total) => h("td", {}, points(total))),
    ),
    h(
      "tr",
      { class: "zero" },
      h(
        "td",
        { colspan: "5" },
        [gettext("All together: %(sum)s", { sum }), paid].filter(Boolean).join(" · "),
      ),
    ),
  ];
}
