// What stands between the hand and its score, as the server asks it (webapp/checks.py), each with the tap that settles
// it; and two readings of the photo that are about as likely.

import { call } from "./api.js";
import { gettext, h } from "./dom.js";
import { cutOut } from "./photo.js";
import { alternatives } from "./sheet.js";
import { totalText } from "./words.js";

function answerButton(view, check, { key, label, do: change }) {
  const answer = () => view.answer(change, check.tile);
  return h("button", { type: "button", class: "button", "data-key": key, onclick: answer }, label);
}

function likelyFaces(view, tile) {
  const other = gettext("Another tile");
  const open = () => view.answer({ name: "show_tile", tile: tile.id }, tile.id);
  const more = h(
    "button",
    {
      type: "button",
      class: "tile other",
      "data-key": "check-other",
      "aria-label": other,
      title: other,
      onclick: open,
    },
    "…",
  );
  const choose = (face) => view.answer({ name: "face", tile: tile.id, face }, tile.id);
  return alternatives(tile, choose, "check", more);
}

// view: { draft, photo: whether the page has one, answer: makes a change; gets the tile that was asked about, too }
function checkCard(view, check) {
  const tile = view.draft.tiles.find((one) => one.id === check.tile);
  const answers = h(
    "div",
    { class: "row" },
    check.answers.map((one) => answerButton(view, check, one)),
  );
  if (!tile) return h("div", { class: "card fix", id: "fix" }, h("p", {}, check.text), answers);
  return h(
    "div",
    { class: "card doubt", id: "doubt", "data-tile": tile.id },
    tile.quad && view.photo ? cutOut(view.draft.photos[tile.photo], tile.quad) : "",
    h("div", {}, h("h2", {}, check.text), check.kind === "face" ? likelyFaces(view, tile) : answers),
  );
}

// Somebody who is adding tiles knows that some are missing.
export function checkCards(view, checks, adding) {
  const shown = checks.filter((check) => {
    const about = check.tile === null || view.draft.tiles.some((tile) => tile.id === check.tile);
    return about && !(adding && check.kind === "count");
  });
  return shown.map((check) => checkCard(view, check));
}

// Scrolls to the first question and focuses its first answer.
export function pointToCheck() {
  const card = document.querySelector("#check .card");
  card?.scrollIntoView({ block: "center" });
  card?.querySelector("button")?.focus({ preventScroll: true });
}

// The readings with their scores under these conditions.
export async function scoredReadings(readings, conditions) {
  const said = Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== null));
  return Promise.all(
    readings.map(async (reading) => ({
      ...reading,
      score: (await call("POST", "/assess", { ...reading.hand, ...said })).score,
    })),
  );
}

// `key` is the key of the hand that is shown, `take` gets the reading that is tapped.
export function readingsCard(readings, key, take) {
  if (!readings.length) return null;
  const button = (reading, place) =>
    h(
      "button",
      {
        type: "button",
        class: "reading",
        "data-key": `reading-${place}`,
        "aria-pressed": String(reading.key === key),
        onclick: () => take(reading),
      },
      h("b", {}, reading.score ? totalText(reading.score) : gettext("not a win")),
      h("span", {}, reading.label),
      h("small", {}, `${reading.percent} %`),
    );
  return h(
    "div",
    { class: "card readings", id: "readings" },
    h("h2", {}, gettext("The photo can be read in two ways")),
    h("div", { class: "row" }, readings.map(button)),
  );
}
