// Statistics over the matches whose keys this browser holds: a table, and pictures of the same numbers.

import { ApiError, call } from "../api.js";
import { complain, fanName, gettext, h, ngettext } from "../dom.js";
import { signed } from "../words.js";
import { barChart, lineChart, swatch } from "./charts.js";
import * as keys from "./keys.js";

const LINES = 6; // as many lines as the style sheet has colours
const part = (id) => document.getElementById(id);
const points = (number) => (number === 0 ? "0" : signed(number));
let players = [];

async function show() {
  const wanted = Object.fromEntries(new FormData(part("search")));
  let found;
  try {
    found = await call("POST", "/matches/statistics", {
      keys: keys.everyKey(),
      player: wanted.player.trim(),
      since: wanted.since || null,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
    return;
  }
  players = found.players;
  part("about").textContent = ngettext(
    "%(number)s match on this device",
    "%(number)s matches on this device",
    found.matches,
  );
  for (const card of document.querySelectorAll("main > .card")) card.hidden = players.length === 0;
  drawTable();
  drawCourse();
  drawOutcomes();
  drawCollector();
}

function drawTable() {
  const labels = [
    gettext("Player"),
    gettext("Points"),
    gettext("Hands played"),
    gettext("Wins"),
    gettext("Self-drawn"),
    gettext("Deal-ins"),
    gettext("Average"),
    gettext("Biggest"),
    gettext("Matches"),
  ];
  const row = (one) => [
    points(one.points),
    one.hands,
    one.wins,
    one.self_drawn,
    one.deal_ins,
    one.average ?? "–",
    one.biggest ?? "–",
    one.matches,
  ];
  part("players").replaceChildren(
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        labels.map((label) => h("th", { scope: "col" }, label)),
      ),
    ),
    h(
      "tbody",
      {},
      players.map((one) =>
        h(
          "tr",
          { "data-player": one.name },
          h("th", { scope: "row" }, one.name),
          row(one).map((cell) => h("td", {}, String(cell))),
        ),
      ),
    ),
  );
}

function legend(entries) {
  return h(
    "ul",
    { class: "legend" },
    entries.map(([mark, text]) => h("li", {}, mark, text)),
  );
}

function drawCourse() {
  const lines = players.slice(0, LINES);
  part("course").replaceChildren(
    lineChart(
      lines,
      gettext("Points of %(players)s after each hand", { players: lines.map((one) => one.name).join(", ") }),
    ),
    legend(lines.map((one, place) => [swatch(place), `${one.name} ${points(one.points)}`])),
  );
}

function drawOutcomes() {
  const rows = players.map((one) => ({
    name: one.name,
    parts: [one.self_drawn, one.wins - one.self_drawn, one.deal_ins],
  }));
  const mark = (place) => h("span", { class: `mark-${place}`, "aria-hidden": "true" });
  const labels = [gettext("Won, self-drawn"), gettext("Won on a discard"), gettext("Dealt in")];
  part("outcomes").replaceChildren(
    barChart(rows, gettext("Hands won and dealt into, by player")),
    legend(labels.map((label, place) => [mark(place), label])),
  );
}

function drawCollector() {
  const chosen = part("collector").value;
  part("collector").replaceChildren(
    ...players.map((one) => h("option", { value: one.name, selected: one.name === chosen }, one.name)),
  );
  drawFans();
}

function drawFans() {
  const one = players.find((player) => player.name === part("collector").value);
  if (!one) return;
  part("collected").textContent = ngettext(
    "%(number)s different fan",
    "%(number)s different fans",
    one.fans.length,
  );
  const rows = one.fans.map((fan) => ({ name: fanName(fan), parts: [fan.count] }));
  const picture = rows.length && barChart(rows, gettext("How often each fan was won"));
  part("fans").replaceChildren(...[picture].filter(Boolean));
}

let typing = null;
part("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(show, 250);
});
part("search").addEventListener("submit", (event) => event.preventDefault());
part("collector").addEventListener("change", drawFans);

show();
