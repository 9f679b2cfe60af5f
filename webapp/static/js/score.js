// What the hand scores, who pays whom, and what it would score had it been won otherwise.

import { gettext, h } from "./dom.js";
import { fanRows, notCounted } from "./fan_rows.js";
import { SEATS } from "./model.js";
import { waitsTable } from "./waits.js";
import { playerName, signed, windName } from "./words.js";

function total({ score, verdict }) {
  const { qualifying, flowers } = score.points;
  const parts = gettext("%(fans)s from fans + %(flowers)s from flowers", { fans: qualifying, flowers });
  return h(
    "div",
    { class: "total" },
    h("p", { class: "number", id: "total" }, String(score.total), h("span", {}, " ", gettext("points"))),
    h(
      "p",
      { class: score.legal ? "verdict legal" : "verdict illegal", id: "verdict" },
      h("span", { "aria-hidden": "true" }, score.legal ? "✓ " : "✕ "),
      verdict.text,
    ),
    flowers ? h("p", { class: "sum" }, parts) : "",
  );
}

function payments({ payments: by, draft }) {
  if (!by) return "";
  const { seat_wind: winner, self_drawn: drawn, discarder } = draft.hand;
  const head = (seat) =>
    h(
      "th",
      { scope: "col" },
      windName(seat),
      playerName(seat) && h("b", { class: "player" }, playerName(seat)),
      seat === winner && h("small", {}, gettext("winner")),
      !drawn && seat === discarder && h("small", {}, gettext("discarder")),
    );
  const cell = (seat) =>
    h("td", { "data-seat": seat, class: by[seat] > 0 ? "won" : "paid" }, signed(by[seat]));
  return h(
    "table",
    { class: "payments" },
    h("caption", {}, gettext("Payments")),
    h("thead", {}, h("tr", {}, SEATS.map(head))),
    h("tbody", {}, h("tr", {}, SEATS.map(cell))),
  );
}

function whatIfChip(one, under, set) {
  return h(
    "button",
    {
      type: "button",
      class: "chip",
      "data-key": `if-${one.condition}-${one.value}`,
      "data-total": one.total,
      onclick: () => set(one.set),
    },
    one.label,
    " ",
    h("b", {}, String(one.total)),
    !one.legal && h("small", {}, " ", under),
  );
}

// What the hand would score had it been won otherwise; a tap makes it so.
function whatIf({ what_if: others, under_minimum: under }, set, open) {
  const legends = [...new Set(others.map((one) => one.legend))];
  const row = (legend) =>
    h(
      "div",
      { role: "group", "aria-label": legend },
      h("p", { class: "caption" }, legend),
      h(
        "div",
        { class: "chips" },
        others.filter((one) => one.legend === legend).map((one) => whatIfChip(one, under, set)),
      ),
    );
  return h(
    "details",
    { class: "what-if", open },
    h("summary", { "data-key": "what-if" }, gettext("What if it had been won another way?")),
    legends.map(row),
  );
}

function shareRow(view) {
  const button = (key, text, run) =>
    h("button", { type: "button", class: "button", "data-key": key, onclick: run }, text);
  return h(
    "div",
    { class: "row" },
    button("share", gettext("Share"), view.share),
    button("picture", gettext("Picture"), view.picture),
    button("link", gettext("Copy link"), view.copyLink),
  );
}

function noScore({ answer, win }) {
  const { waiting, problem } = answer;
  if (waiting?.waits.length) return waitsTable(answer, win);
  const code = problem ? problem.code : "";
  return h("p", { class: "problem", id: "problem", "data-code": code }, problem ? problem.message : "");
}

// view: { answer, litFan, light, hover, win, set, share, picture, copyLink }
export function drawScore(section, view) {
  const { answer } = view;
  if (!answer.score) {
    section.replaceChildren(noScore(view));
    return;
  }
  const isOpen = (name) => section.querySelector(`details.${name}`)?.open;
  const { ask } = answer.draft;
  section.replaceChildren(
    total(answer),
    payments(answer),
    ask ? h("p", { class: "hint", id: "ask" }, ask.hint) : "",
    fanRows(view),
    notCounted(answer.why, isOpen("not-counted")),
    whatIf(answer, view.set, isOpen("what-if")),
    shareRow(view),
  );
}
