// The sheet at the bottom: what a tile may be instead, the 42 faces by suit, and what can be done with it.

import { kindName } from "./board.js";
import { gettext, h, tileArt, tileName } from "./dom.js";
import { isFlower, kindOf, meldsWith, membersOf, SUITS } from "./model.js";
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
  return h(
    "button",
    {
      type: "button",
      class: "tile",
      "aria-label": tileName(face),
      title: tileName(face),
      "data-face": face,
      onclick: () => run(face),
      ...attributes,
    },
    tileArt(face),
  );
}

export function keypad(current, run) {
  return h(
    "div",
    { class: "keypad" },
    Object.entries(SUITS).map(([suit, ranks]) =>
      h(
        "div",
        { class: `suit ${suit}`, role: "group", "aria-label": suitName(suit) },
        Array.from({ length: ranks }, (_, rank) => `${rank + 1}${suit}`).map((face) =>
          faceButton(face, run, {
            "data-key": `face-${face}`,
            "aria-current": face === current ? "true" : null,
          }),
        ),
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

function meldLabel({ kind, faces, group }) {
  if (group !== undefined) return gettext("Add to the pung: kong");
  return kind === "chow" ? `${kindName(kind)} ${faces.map((face) => face[0]).join("")}` : kindName(kind);
}

function actionsFor(view, tile) {
  const action = (key, label, run) =>
    h(
      "button",
      { type: "button", class: "action", "data-key": `do-${key}`, "data-action": key, onclick: run },
      label,
    );
  const actions = [];
  if (tile.role === "stray")
    actions.push(
      action("take", gettext("Take into the hand"), () =>
        view.setRole(isFlower(tile.face) ? "flower" : "concealed"),
      ),
    );
  if (tile.role === "meld") {
    const size = membersOf(view.draft, tile.group).length;
    const kind = kindOf(view.draft, tile.group);
    if (size >= 4) {
      actions.push(
        action(
          "hide",
          kind === "concealed_kong" ? gettext("Kong was melded") : gettext("Kong is concealed"),
          () => view.toggleHidden(tile.group),
        ),
      );
    }
    actions.push(
      action("dissolve", gettext("Not a meld: back to the hand"), () => view.dissolve(tile.group)),
    );
  }
  if (tile.role !== "winning" && !isFlower(tile.face)) {
    actions.push(action("win", gettext("Winning tile"), view.makeWinning));
  }
  if (tile.role === "winning")
    actions.push(action("unwin", gettext("Back to the hand"), () => view.setRole("concealed")));
  meldsWith(view.draft, tile.id).forEach((meld) => {
    const key =
      meld.kind === "chow"
        ? `chow-${meld.faces.join("")}`
        : meld.kind + (meld.group === undefined ? "" : `-${meld.group}`);
    actions.push(action(key, meldLabel(meld), () => view.makeMeld(meld)));
  });
  if (tile.role !== "stray" && tile.quad)
    actions.push(action("stray", gettext("Not part of the hand"), () => view.setRole("stray")));
  actions.push(action("remove", gettext("Remove"), view.remove));
  return h("div", { class: "actions" }, actions);
}

// view: { draft, tile | null, photo, choose, close, and the changes named in actionsFor }
export function drawSheet(sheet, view) {
  const { tile } = view;
  const title = tile ? tileName(tile.face) : gettext("Add tiles");
  const close = h(
    "button",
    {
      type: "button",
      class: "close",
      "data-key": "close",
      "aria-label": gettext("Close"),
      onclick: view.close,
    },
    tile ? "✕" : gettext("Done"),
  );
  sheet.setAttribute("aria-label", title);
  sheet.replaceChildren(
    h(
      "div",
      { class: "head" },
      tile?.quad && view.photo ? cutOut(view.draft.photos[tile.photo], tile.quad) : "",
      tile?.alternatives.length
        ? alternatives(tile, view.choose, "likely")
        : h("h2", {}, title, !tile && h("small", {}, view.countText)),
      close,
    ),
    keypad(tile?.face, view.choose),
    tile ? actionsFor(view, tile) : "",
  );
  sheet.hidden = false;
}
