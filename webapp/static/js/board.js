// The hand as it lies on the table: melds, concealed tiles, the winning tile, flowers, and what was left out.

import { gettext, h, ngettext, tileArt, tileName } from "./dom.js";
import { groupsOf, inRole, membersOf } from "./model.js";

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

function tilesOf(view, tiles, ...more) {
  return h(
    "div",
    { class: "tiles" },
    tiles.map((tile) => tileButton(view, tile)),
    more,
  );
}

// The kind and its name come with the next answer; until then a new meld has no caption.
function meld(view, group) {
  const { kind = "", label = "" } = view.melds.find((one) => one.group === group) ?? {};
  const members = membersOf(view.draft, group);
  const hidden = members.length === 4 && view.draft.hidden.includes(group);
  const faceDown = (place) => hidden && (place === 0 || place === 3);
  return h(
    "div",
    { class: `meld ${kind}`, role: "group", "aria-label": label, "data-kind": kind, "data-drop": group },
    h(
      "div",
      { class: "tiles" },
      members.map((tile, place) => tileButton(view, tile, faceDown(place) ? "back" : tile.face)),
    ),
    h("span", { class: "caption", "aria-hidden": "true" }, label || "\u00a0"),
  );
}

// A tile dropped on one of these parts belongs there. The part of the melds is no such place: each meld is.
const DROPS = { concealed: "concealed", winning: "winning", flowers: "flower" };

function part(name, label, content) {
  return h(
    "div",
    { class: `part ${name}`, role: "group", "aria-label": label, "data-drop": DROPS[name] },
    h("h2", { class: "caption" }, label),
    content,
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

function tools(view) {
  const { right, text } = view.count;
  return h(
    "div",
    { class: "tools" },
    h("p", { class: right ? "count" : "count wrong", id: "count" }, text),
    tool("undo", gettext("Undo"), "↶", view.undo, !view.canUndo),
    tool("redo", gettext("Redo"), "↷", view.redo, !view.canRedo),
    tool(
      "clear",
      gettext("Clear the hand"),
      gettext("Clear"),
      view.clear,
      !view.draft.tiles.some((tile) => tile.role !== "stray"),
    ),
  );
}

function addButton(view) {
  const label = gettext("Add a tile");
  return h(
    "button",
    {
      type: "button",
      class: "tile add",
      "data-key": "add",
      "aria-label": label,
      title: label,
      onclick: view.add,
    },
    h("span", { "aria-hidden": "true" }, "+"),
  );
}

const ROW_OF_A_HAND = 4; // fewer tiles in a row are discards or flowers, and no hand

function strays(view, tiles, open) {
  if (!tiles.length) return "";
  const rows = new Map();
  for (const tile of tiles) {
    const place = `${tile.photo}-${tile.row}`;
    rows.set(place, [...(rows.get(place) ?? []), tile]);
  }
  const summary = ngettext(
    "%(number)s tile in the photo is left out",
    "%(number)s tiles in the photo are left out",
    tiles.length,
  );
  return h(
    "details",
    { class: "strays", "data-drop": "out", open: open || tiles.some((tile) => tile.id === view.selected) },
    h("summary", {}, summary),
    [...rows].map(([place, row]) => strayRow(view, place, row)),
  );
}

// The tiles of one row of the photo that were left out. A longer one may be the hand.
function strayRow(view, place, tiles) {
  const choose = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "data-key": `row-${place}`,
      onclick: () => view.chooseRow(tiles[0]),
    },
    gettext("This row is the hand"),
  );
  return h(
    "div",
    { class: "stray-row" },
    h(
      "div",
      { class: "tiles small" },
      tiles.map((tile) => tileButton(view, tile)),
    ),
    tiles.length >= ROW_OF_A_HAND && view.chooseRow && choose,
  );
}

// view: { draft, melds and count (of the answer of /assess), selected, lit, notices, canUndo, canRedo, pick, add,
// undo, redo, clear, chooseRow: takes the row of a tile for the hand, or null }
export function drawBoard(section, view) {
  const { draft } = view;
  const melds = groupsOf(draft).map((group) => meld(view, group));
  const [concealed, winning, flowers, left] = ["concealed", "winning", "flower", "stray"].map((role) =>
    inRole(draft, role),
  );
  const open = section.querySelector("details.strays")?.open;
  section.replaceChildren(
    tools(view),
    melds.length ? part("melds", gettext("Melds"), melds) : "",
    h(
      "div",
      { class: "rows" },
      part("concealed", gettext("Concealed tiles"), tilesOf(view, concealed, addButton(view))),
      winning.length ? part("winning", gettext("Winning tile"), tilesOf(view, winning)) : "",
      flowers.length ? part("flowers", gettext("Flowers"), tilesOf(view, flowers)) : "",
    ),
    ...view.notices.map(({ code, text }) => h("p", { class: "hint notice", "data-code": code }, text)),
    strays(view, left, open),
  );
}

// Lights these tiles and no other, without drawing the board anew.
export function lightTiles(section, lit) {
  for (const button of section.querySelectorAll("[data-tile]")) {
    button.classList.toggle("lit", lit.has(Number(button.dataset.tile)));
  }
}
