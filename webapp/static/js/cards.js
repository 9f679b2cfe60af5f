// What stands between the hand and its score, each with the tap that settles it: unsure tiles, a wrong count, two
// readings that are about as likely.

import { call } from "./api.js";
import { kindName } from "./board.js";
import { gettext, h, ngettext, tileName } from "./dom.js";
import { layReading } from "./intake.js";
import * as model from "./model.js";
import { cutOut } from "./photo.js";
import { alternatives } from "./sheet.js";
import { totalText } from "./words.js";

const CLOSE_READING = 0.33; // a second reading at least this likely beside the first is worth showing
const NEAR = 2.5; // tile widths within which a tile left out may belong to the hand

const CHECKS = ["melded", "agree"]; // the first buttons of doubts that are not about the face

// What is asked about a tile, and the buttons that settle it: which face, of which kind its kong, or where it belongs.
function question(view, tile, number, settle) {
  const { draft } = view;
  if (tile.doubt === "kong") {
    const kind = (key, label, concealed) =>
      fix(key, label, () => settle(model.setHidden(draft, tile.group, concealed)));
    return [
      gettext("No tile of this kong lies sideways: was it melded or concealed?"),
      h(
        "div",
        { class: "row" },
        kind("check-melded", gettext("Melded kong"), false),
        kind("check-concealed", gettext("Concealed kong"), true),
      ),
    ];
  }
  if (tile.doubt === "role") {
    const text = {
      concealed: gettext("This may as well belong to a meld, or be the winning tile."),
      meld: gettext("This may as well be a concealed tile of the hand."),
      winning: gettext("Another tile may have won."),
      flower: gettext("This lies away from the hand: is it one of its flowers?"),
    }[tile.role];
    const agree = fix("check-agree", gettext("It is right"), () => settle(model.agree(draft, tile.id)));
    return [
      text,
      h(
        "div",
        { class: "row" },
        agree,
        fix("check-change", gettext("Change it"), () => view.pick(tile.id)),
      ),
    ];
  }
  const other = gettext("Another tile");
  const more = h(
    "button",
    {
      type: "button",
      class: "tile other",
      "data-key": "check-other",
      "aria-label": other,
      title: other,
      onclick: () => view.pick(tile.id),
    },
    "…",
  );
  const choose = (face) =>
    settle(face === tile.face ? model.agree(draft, tile.id) : model.setFace(draft, tile.id, face));
  return [
    ngettext(
      "Not sure of %(number)s tile: which is it?",
      "Not sure of %(number)s tiles: which is this?",
      number,
    ),
    alternatives(tile, choose, "check", more),
  ];
}

// view: { draft, photo, commit, pick, focusOn }
export function unsureCard(view) {
  const { draft } = view;
  const unsure = draft.tiles.filter((tile) => tile.unsure && tile.role !== "stray");
  if (!unsure.length) return null;
  const [tile] = unsure;
  const settle = (settled) => {
    view.commit(settled);
    const next = settled.tiles.find((one) => one.unsure && one.role !== "stray");
    const first =
      next &&
      [...CHECKS, next.face]
        .map((one) => `check-${one}`)
        .find((key) => document.querySelector(`[data-key="${key}"]`));
    view.focusOn(first || `tile-${tile.id}`);
  };
  const [asked, answers] = question(view, tile, unsure.length, settle);
  return h(
    "div",
    { class: "card doubt", id: "doubt", "data-tile": tile.id },
    tile.quad && view.photo ? cutOut(draft.photos[tile.photo], tile.quad) : "",
    h("div", {}, h("h2", {}, asked), answers),
  );
}

function fix(key, label, run) {
  return h("button", { type: "button", class: "button", "data-key": key, onclick: run }, label);
}

function fixCard(text, fixes) {
  return h("div", { class: "card fix", id: "fix" }, h("p", {}, text), h("div", { class: "row" }, fixes));
}

function middle({ quad }) {
  return [0, 1].map((axis) => quad.reduce((sum, point) => sum + point[axis], 0) / 4);
}

function distance([x0, y0], [x1, y1]) {
  return Math.hypot(x1 - x0, y1 - y0);
}

// The tile left out that lies nearest to the hand, if it lies near at all.
function nearestLeftOut(draft) {
  const held = draft.tiles.filter((tile) => tile.quad && tile.role !== "stray");
  const apart = (stray) =>
    Math.min(
      ...held
        .filter((tile) => tile.photo === stray.photo)
        .map((tile) => distance(middle(stray), middle(tile)) / distance(tile.quad[0], tile.quad[1])),
    );
  const near = model
    .inRole(draft, "stray")
    .filter((tile) => tile.quad && tile.face !== "back")
    .map((tile) => [apart(tile), tile])
    .filter(([far]) => far < NEAR)
    .sort(([a], [b]) => a - b);
  return near.length ? near[0][1] : null;
}

// The kongs that would explain a tile too many.
function kongsIn(draft) {
  const seen = new Set();
  return model.inRole(draft, "concealed").flatMap((tile) => {
    if (seen.has(tile.face)) return [];
    seen.add(tile.face);
    return model
      .meldsWith(draft, tile.id)
      .filter((meld) => meld.kind.endsWith("kong"))
      .map((meld) => ({ tile, meld }));
  });
}

function missing(view, number) {
  const { draft, commit } = view;
  const text = ngettext("%(number)s tile is missing.", "%(number)s tiles are missing.", number);
  const near = nearestLeftOut(draft);
  const label = near && gettext("Take in %(tile)s", { tile: tileName(near.face) });
  const run = () => commit(model.setRole(draft, near.id, model.isFlower(near.face) ? "flower" : "concealed"));
  return fixCard(text, [
    near && fix("fix-take", label, run),
    fix("fix-add", gettext("Add a tile"), view.startAdding),
  ]);
}

function tooMany(view, number, playing) {
  const { draft, commit } = view;
  const text = ngettext(
    "%(number)s tile too many: leave one out or mark a kong.",
    "%(number)s tiles too many: leave some out or mark a kong.",
    number,
  );
  const kongs = kongsIn(draft).map(({ tile, meld }) => {
    const label = `${kindName(meld.kind)}: ${tileName(tile.face)}`;
    const run = () =>
      commit(
        meld.group === undefined
          ? model.makeMeld(draft, meld.ids, meld.kind === "concealed_kong")
          : model.extendToKong(draft, meld.group, tile.id),
      );
    return fix(`fix-${meld.kind}-${tile.face}`, label, run);
  });
  const least = playing.reduce((a, b) => ((b.confidence ?? 1) < (a.confidence ?? 1) ? b : a), playing.at(-1));
  const out = fix("fix-out", gettext("Leave out %(tile)s", { tile: tileName(least.face) }), () =>
    commit(model.leaveOut(draft, least.id)),
  );
  return fixCard(text, [...kongs, out]);
}

// view: { draft, adding, commit, startAdding }
export function countCard(view) {
  const { draft, commit } = view;
  if (view.adding || !draft.tiles.length) return null;
  const { held, expected } = model.countOf(draft);
  const playing = draft.tiles.filter((tile) => ["concealed", "winning"].includes(tile.role));
  if (held < expected) return missing(view, expected - held);
  if (held > expected && playing.length) return tooMany(view, held - expected, playing);
  if (!model.inRole(draft, "winning").length && playing.length) {
    const last = playing.at(-1);
    const won = fix("fix-win", tileName(last.face), () => commit(model.makeWinning(draft, last.id)));
    return fixCard(gettext("Which tile won? Tap it, or take the last one."), [won]);
  }
  return null;
}

// The two likeliest readings with their scores, if they are about as likely; else none.
export async function scoredReadings(recognition, conditions) {
  const [first, second] = recognition?.readings || [];
  if (!second || second.probability < CLOSE_READING * first.probability) return [];
  return Promise.all(
    [first, second].map(async (reading) => ({
      ...reading,
      score: (await call("POST", "/assess", { ...reading.hand, ...conditions })).score,
    })),
  );
}

function keyOf(hand) {
  const melds = hand.melds.map((meld) => [meld.kind, ...meld.tiles].join()).sort();
  return JSON.stringify([[...hand.concealed].sort(), melds, hand.winning_tile]);
}

function facesOf(hand) {
  return [...hand.concealed, hand.winning_tile, ...hand.melds.flatMap((meld) => meld.tiles)];
}

// The kongs of this reading that are of the other kind in the other reading.
function kongsApart(mine, other) {
  const names = { melded_kong: gettext("Melded kong"), concealed_kong: gettext("Concealed kong") };
  return mine.melds
    .filter((meld) =>
      other.melds.some(
        (one) => one.kind in names && one.tile === meld.tile && meld.kind in names && one.kind !== meld.kind,
      ),
    )
    .map((meld) => `${names[meld.kind]}: ${tileName(meld.tile)}`);
}

// What this reading has that the other has not, by name; or its winning tile and kinds of kongs, or how it is grouped.
function difference(mine, other) {
  const rest = facesOf(other);
  const own = facesOf(mine).filter((face) => {
    const found = rest.indexOf(face);
    if (found >= 0) rest.splice(found, 1);
    return found < 0;
  });
  if (own.length) return own.map(tileName).join(", ");
  const won =
    mine.winning_tile !== other.winning_tile &&
    gettext("won with %(tile)s", { tile: tileName(mine.winning_tile) });
  const said = [...kongsApart(mine, other), won].filter(Boolean);
  if (said.length) return said.join(", ");
  return ngettext("%(number)s meld", "%(number)s melds", mine.melds.length);
}

// view: { draft, readings, commit }
export function readingsCard(view) {
  const { readings, draft } = view;
  if (readings.length < 2) return null;
  const shown = keyOf(model.toHand(draft));
  const reading = ({ hand, probability, score }, place) =>
    h(
      "button",
      {
        type: "button",
        class: "reading",
        "data-key": `reading-${place}`,
        "aria-pressed": String(keyOf(hand) === shown),
        onclick: () => view.commit(layReading(draft, hand)),
      },
      h("b", {}, score ? totalText(score) : gettext("no win")),
      h("span", {}, difference(hand, readings[1 - place].hand)),
      h("small", {}, `${Math.round(probability * 100)} %`),
    );
  return h(
    "div",
    { class: "card readings", id: "readings" },
    h("h2", {}, gettext("The photo can be read in two ways")),
    h("div", { class: "row" }, readings.map(reading)),
  );
}
