// The list of matches, and the form that starts one. The list comes from the keys that this browser holds.

import { ApiError, call } from "../api.js";
import { complain, gettext, h, language, ngettext, say } from "../dom.js";
import { signed } from "../words.js";
import * as keys from "./keys.js";
import { continueButton } from "./start.js";

const part = (id) => document.getElementById(id);
const clock = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
let last = null;

function search(before) {
  const wanted = Object.fromEntries(new FormData(part("search")));
  return {
    keys: keys.everyKey(),
    player: wanted.player.trim(),
    fan: wanted.fan.trim(),
    points: wanted.points ? Number(wanted.points) : null,
    since: wanted.since || null,
    before,
  };
}

function row(match) {
  const players = match.players.map((name, player) => {
    const total = match.totals[player];
    return h("span", {}, `${name} `, h("b", {}, total === 0 ? "0" : signed(total)));
  });
  return h(
    "li",
    { "data-match": String(match.id) },
    h(
      "a",
      { href: `/match/${match.look_key}` },
      h("span", { class: "when" }, clock.format(new Date(match.started_at))),
      match.title && h("b", {}, match.title),
      h("span", { class: "totals" }, players),
      !match.ended && h("small", { class: "mark" }, gettext("in play")),
    ),
  );
}

async function show(before = null) {
  let found;
  try {
    found = await call("POST", "/matches/list", search(before));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
    return;
  }
  const list = part("matches");
  if (before === null) list.replaceChildren();
  list.append(...found.matches.map(row));
  last = found.matches.at(-1)?.id ?? last;
  part("none").hidden = list.children.length > 0;
  part("more").hidden = found.matches.length < 50;
  if (before === null) {
    drawNames(found.names);
    drawContinue(found.matches.find((match) => !match.ended));
  }
}

function drawContinue(match) {
  const place = part("continue");
  place.hidden = !match;
  if (!match) {
    part("new-match").open = true;
    return;
  }
  place.replaceChildren(continueButton(match));
}

// Names played with before: a tap puts one into the next empty seat.
function drawNames(names) {
  part("names").replaceChildren(
    ...names.map((name) =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          onclick: (event) => {
            const inputs = [...part("new-form").querySelectorAll('[name="player"]')];
            const empty = inputs.find((input) => !input.value.trim());
            if (!empty) return;
            empty.value = name;
            event.currentTarget.disabled = true;
          },
        },
        name,
      ),
    ),
  );
}

part("new-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const problem = part("new-error");
  problem.hidden = true;
  try {
    const answer = await call("POST", "/matches", {
      players: form.getAll("player"),
      title: form.get("title"),
      draw_seats: form.get("draw_seats") !== null,
      settings: {
        profile: form.get("profile"),
        seating: form.get("seating"),
        hands: Number(form.get("hands")),
        minutes: form.get("minutes") ? Number(form.get("minutes")) : null,
        false_win: Number(form.get("false_win")),
      },
    });
    keys.keep(answer);
    location.assign(`/match/${answer.keys.look}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    problem.textContent = error.message;
    problem.hidden = false;
  }
});

let typing = null;
part("search").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => show(), 250);
});
part("import-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  const problem = part("import-error");
  problem.hidden = true;
  if (!file) return;
  try {
    const { matches } = await call("POST", "/matches/import", JSON.parse(await file.text()));
    for (const one of matches) keys.keep(one);
    say(ngettext("%(number)s match was imported.", "%(number)s matches were imported.", matches.length));
    show();
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof SyntaxError)) throw error;
    problem.textContent =
      error instanceof ApiError
        ? error.message
        : gettext("This is not a JSON file. Choose an export of Fanlens.");
    problem.hidden = false;
  }
});

part("search").addEventListener("submit", (event) => event.preventDefault());
part("more").addEventListener("click", () => show(last));

show();
