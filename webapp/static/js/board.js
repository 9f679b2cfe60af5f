// The hand as it lies on the table: melds, concealed tiles, the winning tile, flowers, and what was left out.

import { gettext, h, ngettext, tileArt, tileName } from "./dom.js";
import { countOf, groupsOf, inRole, kindOf, membersOf } from "./model.js";

export function kindName(kind) {
  return {
    chow: gettext("Chow"),
    pung: gettext("Pung"),
    melded_kong: gettext("Kong"),
    concealed_kong: gettext("Concealed kong"),
  }[kind];
}

function tileButton(view, tile, shownFace = tile.face) {
  const names = ["tile"];
  if (tile.unsure) names.push("unsure");
  if (tile.id === view.selected) names.push("selected");
  if (view.lit.has(tile.id)) names.push("lit");
  const said = [tileName(tile.face)];
  if (tile.role === "winning") said.push(gettext("winning tile"));
  if (tile.unsure) said.push(gettext("not sure"));
  return h(
    "button",
    {
      type: "button",
      class: names.join(" "),
      "data-key": `tile-${tile.id}`,
      "data-tile": tile.id,
      "data-face": tile.face,
      "aria-label": said.join(", "),
      title: tileName(tile.face),
      "aria-expanded": String(tile.id === view.selected),
      onclick: () => view.pick(tile.id),
    },
    tileArt(shownFace),
    tile.unsure && h("span", { class: "mark", "aria-hidden": "true" }, "?"),
  );
}

function meld(view, group) {
  const kind = kindOf(view.draft, group);
  const members = membersOf(view.draft, group);
  const facedown = (place) => kind === "concealed_kong" && (place === 0 || place === members.length - 1);
  return h(
    "div",
    {
      class: `meld ${kind}`,
      role: "group",
      "aria-label": kindName(kind),
      "data-kind": kind,
      "data-drop": group,
    },
    h(
      "div",
      { class: "tiles" },
      members.map((tile, place) => tileButton(view, tile, facedown(place) ? "back" : tile.face)),
    ),
    h("span", { class: "caption", "aria-hidden": "true" }, kindName(kind)),
  );
}

// What is dropped on a part of the hand belongs there; the part of the melds is no such place, each meld is.
const DROPS = { concealed: "concealed", winning: "winning", flowers: "flower" };

function part(name, label, content) {
  return h(
    "div",
    { class: `part ${name}`, role: "group", "aria-label": label, "data-drop": DROPS[name] },
    h("h2", { class: "caption" }, label),
    content,
  );
}

function count(draft) {
  const { held, expected } = countOf(draft);
  const right = held === expected;
  return h(
    "p",
    { class: right || !draft.tiles.length ? "count" : "count wrong", id: "count" },
    right
      ? ngettext("%(number)s tile", "%(number)s tiles", held)
      : gettext("%(held)s of %(expected)s tiles", { held, expected }),
  );
}

function tool(key, label, text, run, disabled) {
  return h(
    "button",
    {
      type: "button",
      class: `tool ${key}`,
      "data-key": key,
      "aria-label": label,
      title: label,
      disabled,
      onclick: run,
    },
    text,
  );
}

// view: { draft, selected, lit, notices, canUndo, canRedo, pick, add, undo, redo, clear }
export function drawBoard(section, view) {
  const { draft } = view;
  const melds = groupsOf(draft);
  const [concealed, winning, flowers, strays] = ["concealed", "winning", "flower", "stray"].map((role) =>
    inRole(draft, role),
  );
  const open = section.querySelector("details.strays")?.open;
  section.replaceChildren(
    h(
      "div",
      { class: "tools" },
      count(draft),
      tool("undo", gettext("Undo"), "↶", view.undo, !view.canUndo),
      tool("redo", gettext("Redo"), "↷", view.redo, !view.canRedo),
      tool("clear", gettext("Clear the hand"), gettext("Clear"), view.clear, !draft.tiles.length),
    ),
    melds.length
      ? part(
          "melds",
          gettext("Melds"),
          melds.map((group) => meld(view, group)),
        )
      : "",
    h(
      "div",
      { class: "rows" },
      part(
        "concealed",
        gettext("In the hand"),
        h(
          "div",
          { class: "tiles" },
          concealed.map((tile) => tileButton(view, tile)),
          h(
            "button",
            {
              type: "button",
              class: "tile add",
              "data-key": "add",
              "aria-label": gettext("Add a tile"),
              title: gettext("Add a tile"),
              onclick: view.add,
            },
            h("span", { "aria-hidden": "true" }, "+"),
          ),
        ),
      ),
      winning.length
        ? part(
            "winning",
            gettext("Won with"),
            h(
              "div",
              { class: "tiles" },
              winning.map((tile) => tileButton(view, tile)),
            ),
          )
        : "",
      flowers.length
        ? part(
            "flowers",
            gettext("Flowers"),
            h(
              "div",
              { class: "tiles" },
              flowers.map((tile) => tileButton(view, tile)),
            ),
          )
        : "",
    ),
    ...view.notices.map((problem) =>
      h("p", { class: "hint", id: "notice", "data-code": problem.code }, problem.message),
    ),
    strays.length
      ? h(
          "details",
          {
            class: "strays",
            "data-drop": "out",
            open: open || strays.some((tile) => tile.id === view.selected),
          },
          h(
            "summary",
            {},
            ngettext(
              "%(number)s tile in the photo left out",
              "%(number)s tiles in the photo left out",
              strays.length,
            ),
          ),
          h(
            "div",
            { class: "tiles small" },
            strays.map((tile) => tileButton(view, tile)),
          ),
        )
      : "",
  );
}
