// The sheet at the bottom: what a tile may be instead, the 42 faces by suit, and what can be done with the tile.

import { gettext, h, tileArt, tileName } from "./dom.js";
import { SUITS } from "./model.js";
import { cutOut } from "./photo.js";

const MAX_ALTERNATIVES = 4;

function suitName(suit) {
  return {
    m: gettext("Characters"),
    p: gettext("Dots"),
    s: gettext("Bamboo"),
    z: gettext("Winds and dragons"),
    f: gettext("Flowers"),
  }[suit];
}

function faceButton(face, run, attributes = {}) {
  const name = tileName(face);
  return h(
    "button",
    {
      type: "button",
      class: "tile",
      "aria-label": name,
      title: name,
      "data-face": face,
      onclick: () => run(face),
      ...attributes,
    },
    tileArt(face),
  );
}

function keypad(current, run) {
  const button = (face) =>
    faceButton(face, run, {
      "data-key": `face-${face}`,
      "aria-current": face === current ? "true" : null,
    });
  return h(
    "div",
    { class: "keypad" },
    Object.entries(SUITS).map(([suit, ranks]) =>
      h(
        "div",
        { class: `suit ${suit}`, role: "group", "aria-label": suitName(suit) },
        Array.from({ length: ranks }, (_, rank) => button(`${rank + 1}${suit}`)),
      ),
    ),
  );
}

function percent(part) {
  if (part === null) return "";
  if (part < 0.01) return "<1 %";
  return `${Math.min(99, Math.round(part * 100))} %`;
}

// The face as read and its likeliest rivals, each one tap away.
export function alternatives(tile, run, keys, more = "") {
  const rivals = tile.alternatives
    .filter(([face]) => face !== tile.face && face !== "none")
    .slice(0, MAX_ALTERNATIVES);
  const choice = (face, part, current) =>
    h(
      "span",
      { class: "choice" },
      faceButton(face, run, { "data-key": `${keys}-${face}`, "aria-current": current ? "true" : null }),
      h("span", { class: "percent", "aria-hidden": "true" }, current ? "✓" : percent(part)),
    );
  return h(
    "div",
    { class: "choices", role: "group", "aria-label": gettext("Likely faces") },
    tile.face !== "back" && choice(tile.face, tile.confidence, true),
    rivals.map(([face, part]) => choice(face, part, false)),
    more,
  );
}

function actionButton({ key, label, do: change }, act) {
  return h(
    "button",
    {
      type: "button",
      class: "action",
      "data-key": `do-${key}`,
      "data-action": key,
      onclick: () => act(change),
    },
    label,
  );
}

function head(view, title) {
  const { tile } = view;
  const close = h(
    "button",
    {
      type: "button",
      class: "close",
      "data-key": "close",
      "aria-label": tile ? gettext("Close") : null,
      onclick: view.close,
    },
    tile ? "✕" : gettext("Done"),
  );
  return h(
    "div",
    { class: "head" },
    tile?.quad && view.photo ? cutOut(view.draft.photos[tile.photo], tile.quad) : "",
    tile?.alternatives.length
      ? alternatives(tile, view.choose, "likely")
      : h("h2", {}, title, !tile && h("small", {}, view.countText)),
    close,
  );
}

// view: { draft, tile | null, actions: of that tile, photo: whether the page has one, countText, choose, act, close }
export function drawSheet(sheet, view) {
  const { tile } = view;
  const title = tile ? tileName(tile.face) : gettext("Add tiles");
  sheet.setAttribute("aria-label", title);
  sheet.replaceChildren(
    head(view, title),
    keypad(tile?.face, view.choose),
    tile
      ? h(
          "div",
          { class: "actions" },
          view.actions.map((one) => actionButton(one, view.act)),
        )
      : "",
  );
  sheet.hidden = false;
}

// Scrolls so that the sheet does not cover `element`.
export function keepAbove(sheet, element) {
  const covered = element.getBoundingClientRect().bottom + 12 - sheet.offsetTop;
  if (covered > 0) window.scrollBy({ top: covered });
}
