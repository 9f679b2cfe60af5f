// The confirmation page: one draft, its history, and what is drawn from it.

import { ApiError, call, upload } from "./api.js";
import { drawBoard } from "./board.js";
import { gettext, h, ngettext, readJson, say, tileName } from "./dom.js";
import * as model from "./model.js";
import { cutOut, PhotoView } from "./photo.js";
import { drawConditions, drawScore, scoreText, totalText } from "./score.js";
import { alternatives, drawSheet } from "./sheet.js";
import { shrunk } from "./shrink.js";
import { listenToKeys } from "./keys.js";

const CLOSE_READING = 0.33; // a second reading at least this likely beside the first is worth showing

const recognition = readJson("recognition");
const memory = `fanlens${location.pathname}`;
const part = (id) => document.getElementById(id);
const PREVALENT = "fanlens prevalent wind";
const PROFILE = "fanlens profile";
const NOTHING = { score: null, problem: null, payments: null, notation: null, why: null, waiting: null };
const page = {
  history: recall(),
  selected: null,
  adding: false,
  assessment: { ...NOTHING },
  litFan: null,
  hovered: null,
  readings: [],
};

function recall() {
  const remembered = sessionStorage.getItem(memory);
  if (remembered) return JSON.parse(remembered);
  const draft = recognition ? model.fromRecognition(recognition) : model.emptyDraft();
  // The prevalent wind stays for four hands and more, the rules for good: those last confirmed are the likeliest.
  const wind = localStorage.getItem(PREVALENT);
  const windy = model.SEATS.includes(wind) ? model.setCondition(draft, "prevalent_wind", wind) : draft;
  return model.startHistory(model.setCondition(windy, "profile", localStorage.getItem(PROFILE) || "guobiao"));
}

function remember() {
  try {
    sessionStorage.setItem(memory, JSON.stringify(page.history));
  } catch {
    // A full storage only costs the steps that could be undone.
    sessionStorage.setItem(memory, JSON.stringify(model.startHistory(page.history.now)));
  }
}

// Without the recognition the photo is gone too; the hand itself is still here.
const view = recognition ? new PhotoView(part("photo"), { pick, add: addPhoto }) : null;

const draft = () => page.history.now;

function commit(next) {
  page.history = model.step(page.history, next);
  changed();
}

function changed() {
  page.litFan = null;
  page.hovered = null;
  if (page.selected !== null && !model.tileOf(draft(), page.selected)) page.selected = null;
  remember();
  draw();
  assess();
}

function pick(id) {
  page.adding = false;
  page.selected = page.selected === id ? null : id;
  draw();
  if (page.selected === null) return;
  focusOn("close");
  clearSheet(document.querySelector(`[data-key="tile-${id}"]`));
}

// Scrolls so that the sheet does not cover `element`.
function clearSheet(element) {
  const covered = element.getBoundingClientRect().bottom + 12 - part("sheet").offsetTop;
  if (covered > 0) window.scrollBy({ top: covered });
}

function closeSheet() {
  const back = page.selected === null ? "add" : `tile-${page.selected}`;
  page.selected = null;
  page.adding = false;
  draw();
  focusOn(back);
}

function startAdding() {
  page.selected = null;
  page.adding = true;
  draw();
  focusOn("close");
}

function choose(face) {
  if (page.adding) {
    addFace(face);
    return;
  }
  const id = page.selected;
  page.selected = null;
  commit(model.tileOf(draft(), id).face === face ? model.agree(draft(), id) : model.setFace(draft(), id, face));
  focusOn(`tile-${id}`);
}

function addFace(face) {
  const { held, expected } = model.countOf(draft());
  if (!model.isFlower(face) && held >= expected && model.inRole(draft(), "winning").length) {
    say(gettext("The hand is complete. Mark a kong or remove a tile first."));
    return;
  }
  if (draft().tiles.filter((tile) => tile.face === face && tile.role !== "stray").length >= (model.isFlower(face) ? 1 : 4)) {
    say(gettext("There is no further %(tile)s in the set.", { tile: tileName(face) }));
    return;
  }
  commit(model.addTile(draft(), face));
}

// A change to the selected tile that leaves it selected would hide what happened: the sheet closes.
function act(next) {
  const id = page.selected;
  page.selected = null;
  commit(next);
  focusOn(`tile-${id}`);
}

function lit() {
  const place = page.hovered ?? page.litFan;
  const { score } = page.assessment;
  return score && place !== null ? model.tilesOf(draft(), score.awards[place].tiles) : new Set();
}

function focusOn(key) {
  const target = document.querySelector(`[data-key="${key}"]`);
  if (target) target.focus({ preventScroll: key === "close" });
}

function countText() {
  const { held, expected } = model.countOf(draft());
  return gettext("%(held)s of %(expected)s tiles", { held, expected });
}

function draw() {
  const focused = document.activeElement?.dataset?.key;
  const light = lit();
  if (view) view.update(draft(), page.selected, light);
  drawCheck();
  drawBoard(part("board"), {
    draft: draft(),
    selected: page.selected,
    lit: light,
    canUndo: page.history.past.length > 0,
    canRedo: page.history.ahead.length > 0,
    notices: notices(),
    pick,
    add: startAdding,
    undo,
    redo,
    clear: () => commit({ ...model.emptyDraft(), photos: draft().photos, conditions: draft().conditions }),
  });
  drawConditions(part("conditions"), {
    draft: draft(),
    setCondition: (name, value) => commit(model.setCondition(draft(), name, value)),
    setDiscarder: (seat) => commit(model.setDiscarder(draft(), seat)),
  });
  drawResult(light);
  const tile = page.selected === null ? null : model.tileOf(draft(), page.selected);
  document.body.classList.toggle("with-sheet", tile !== null || page.adding);
  if (tile || page.adding) {
    drawSheet(part("sheet"), {
      draft: draft(),
      tile,
      photo: view !== null,
      countText: page.assessment.score ? `${countText()} · ${totalText(page.assessment.score)}` : countText(),
      choose,
      close: closeSheet,
      setRole: (role) => act(model.setRole(draft(), tile.id, role)),
      toggleHidden: (group) => act(model.toggleHidden(draft(), group)),
      dissolve: (group) => act(model.dissolve(draft(), group)),
      makeWinning: () => act(model.makeWinning(draft(), tile.id)),
      makeMeld: (meld) =>
        act(
          meld.group === undefined
            ? model.makeMeld(draft(), meld.ids, meld.kind === "concealed_kong")
            : model.extendToKong(draft(), meld.group, tile.id),
        ),
      remove: () => act(model.removeTile(draft(), tile.id)),
    });
  } else {
    part("sheet").hidden = true;
  }
  if (focused && document.activeElement === document.body) focusOn(focused);
}

function drawResult() {
  drawScore(part("score"), {
    draft: draft(),
    assessment: page.assessment,
    litFan: page.litFan,
    win: addFace,
    share,
    copyLink,
    light: (place) => {
      page.litFan = place;
      draw();
    },
    hover: (place) => {
      page.hovered = place;
      const light = lit();
      if (view) view.update(draft(), page.selected, light);
      for (const button of document.querySelectorAll("#board [data-tile]")) {
        button.classList.toggle("lit", light.has(Number(button.dataset.tile)));
      }
    },
  });
  drawBar();
}

// What stands between the hand and its score, unsure tiles first; one tap settles each.
function drawCheck() {
  for (const [id, cards] of [["check", [unsureCard(), countCard()]], ["rivals", [readingsCard()]]]) {
    const shown = cards.filter(Boolean);
    part(id).replaceChildren(...shown);
    part(id).hidden = shown.length === 0;
  }
}

// What recognition had to assume; gone once the person has changed something.
function notices() {
  if (!recognition || page.history.past.length) return [];
  return recognition.problems.filter((problem) => ["winning_tile_unknown", "not_a_hand"].includes(problem.code));
}

function unsureCard() {
  const unsure = draft().tiles.filter((tile) => tile.unsure && tile.role !== "stray");
  if (!unsure.length) return null;
  const [tile] = unsure;
  const settle = (face) => {
    commit(face === tile.face ? model.agree(draft(), tile.id) : model.setFace(draft(), tile.id, face));
    const next = draft().tiles.find((one) => one.unsure && one.role !== "stray");
    focusOn(next ? `check-${next.face}` : `tile-${tile.id}`);
  };
  const other = gettext("Another tile");
  const more = h("button", { type: "button", class: "tile other", "data-key": "check-other", "aria-label": other, title: other, onclick: () => pick(tile.id) }, "…");
  return h(
    "div",
    { class: "card doubt", id: "doubt", "data-tile": tile.id },
    tile.quad && view ? cutOut(draft().photos[tile.photo], tile.quad) : "",
    h(
      "div",
      {},
      h("h2", {}, ngettext("Not sure of %(number)s tile: which is it?", "Not sure of %(number)s tiles: which is this?", unsure.length)),
      alternatives(tile, settle, "check", more),
    ),
  );
}

function countCard() {
  if (page.adding || !draft().tiles.length) return null;
  const { held, expected } = model.countOf(draft());
  const playing = draft().tiles.filter((tile) => ["concealed", "winning"].includes(tile.role));
  const card = (text, ...fixes) => h("div", { class: "card fix", id: "fix" }, h("p", {}, text), h("div", { class: "row" }, fixes));
  const fix = (key, label, run) => h("button", { type: "button", class: "button", "data-key": key, onclick: run }, label);
  if (held < expected) {
    const text = ngettext("%(number)s tile is missing.", "%(number)s tiles are missing.", expected - held);
    return card(text, fix("fix-add", gettext("Add a tile"), startAdding));
  }
  if (held > expected && playing.length) {
    const least = playing.reduce((a, b) => ((b.confidence ?? 1) < (a.confidence ?? 1) ? b : a), playing.at(-1));
    const text = ngettext("%(number)s tile too many: leave one out or mark a kong.", "%(number)s tiles too many: leave some out or mark a kong.", held - expected);
    const run = () => commit(least.quad ? model.setRole(draft(), least.id, "stray") : model.removeTile(draft(), least.id));
    return card(text, fix("fix-out", gettext("Leave out %(tile)s", { tile: tileName(least.face) }), run));
  }
  if (!model.inRole(draft(), "winning").length && playing.length) {
    const last = playing.at(-1);
    const run = () => commit(model.makeWinning(draft(), last.id));
    return card(gettext("Which tile won? Tap it, or take the last one."), fix("fix-win", tileName(last.face), run));
  }
  return null;
}

// Two readings that are about as likely: both with their scores.
function readingsCard() {
  if (page.readings.length < 2) return null;
  const shown = JSON.stringify(keyOf(model.toHand(draft())));
  return h(
    "div",
    { class: "card readings", id: "readings" },
    h("h2", {}, gettext("The photo can be read in two ways")),
    h(
      "div",
      { class: "row" },
      page.readings.map(({ hand, probability, score }, place) =>
        h(
          "button",
          {
            type: "button",
            class: "reading",
            "data-key": `reading-${place}`,
            "aria-pressed": String(JSON.stringify(keyOf(hand)) === shown),
            onclick: () => commit(model.layReading(draft(), hand)),
          },
          h("b", {}, score ? totalText(score) : gettext("no win")),
          h("span", {}, difference(place)),
          h("small", {}, `${Math.round(probability * 100)} %`),
        ),
      ),
    ),
  );
}

function keyOf(hand) {
  const melds = hand.melds.map((meld) => [meld.kind, ...meld.tiles].join()).sort();
  return [[...hand.concealed].sort(), melds, hand.winning_tile];
}

function facesOf(hand) {
  return [...hand.concealed, hand.winning_tile, ...hand.melds.flatMap((meld) => meld.tiles)];
}

// What this reading has that the other has not, by name; or its winning tile, or how it is grouped.
function difference(place) {
  const [mine, other] = [page.readings[place].hand, page.readings[1 - place].hand];
  const rest = facesOf(other);
  const own = facesOf(mine).filter((face) => {
    const found = rest.indexOf(face);
    if (found >= 0) rest.splice(found, 1);
    return found < 0;
  });
  if (own.length) return own.map(tileName).join(", ");
  if (mine.winning_tile !== other.winning_tile) return gettext("won with %(tile)s", { tile: tileName(mine.winning_tile) });
  return ngettext("%(number)s meld", "%(number)s melds", mine.melds.length);
}

async function scoreReadings() {
  const [first, second] = (recognition && recognition.readings) || [];
  if (!second || second.probability < CLOSE_READING * first.probability) return;
  const readings = await Promise.all(
    [first, second].map(async (reading) => ({
      ...reading,
      score: (await call("POST", "/assess", { ...reading.hand, ...draft().conditions })).score,
    })),
  );
  page.readings = readings;
  draw();
}

// Why the hand cannot be confirmed, in a few words; the score says it in full.
function obstacle() {
  const { score, problem } = page.assessment;
  if (score) return gettext("Only %(number)s of 8 points", { number: score.points.qualifying });
  if (!draft().tiles.length) return gettext("No tiles yet");
  const { held, expected } = model.countOf(draft());
  if (held !== expected) return countText();
  if (!model.inRole(draft(), "winning").length) return gettext("No winning tile");
  return problem ? problem.message : "";
}

function drawBar() {
  const { score, payments } = page.assessment;
  const text = score ? totalText(score) : gettext("No score yet");
  const note = score && score.legal ? ngettext("%(number)s fan", "%(number)s fans", score.awards.length) : obstacle();
  part("bar").replaceChildren(
    h("a", { class: "sum", href: "#score" }, h("b", { id: "bar-total", role: "status" }, text), h("small", { id: "bar-note" }, note)),
    h(
      "button",
      { type: "button", class: "button primary", "data-key": "save", id: "save", disabled: !score || !score.legal, onclick: payments ? save : askDiscarder },
      gettext("Confirm"),
    ),
  );
}

function askDiscarder() {
  say(gettext("Who discarded the winning tile?"));
  const first = document.querySelector('[data-condition="discarder"]');
  if (first) {
    first.scrollIntoView({ block: "center" });
    first.focus();
  }
}

async function save() {
  part("save").disabled = true;
  const photos = draft().photos.map((one) => one.photo.split("/").pop().replace(".jpg", ""));
  try {
    const entry = await call("POST", "/hands", { ...model.toHand(draft()), discarder: draft().discarder, photos });
    sessionStorage.removeItem(memory);
    localStorage.setItem(PREVALENT, draft().conditions.prevalent_wind);
    localStorage.setItem(PROFILE, draft().conditions.profile);
    location.assign(`/hands#hand-${entry.id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    part("save").disabled = false;
    say(error.message);
  }
}

let asking = null;

async function assess() {
  if (asking) asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  // While an answer is on its way the score shown belongs to the hand before.
  document.body.dataset.busy = "true";
  if (!draft().tiles.length) {
    page.assessment = { ...NOTHING, problem: { code: "no_tiles", message: gettext("Tap + to add tiles, or type them: 123m 55z.") } };
    drawResult();
    answered();
    return;
  }
  try {
    page.assessment = await call("POST", "/assess", { ...model.toHand(draft()), discarder: draft().discarder }, signal);
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    page.assessment = { ...NOTHING, problem: { code: error.code, message: error.message } };
  }
  const field = part("notation-text");
  if (document.activeElement !== field && page.assessment.notation) field.value = page.assessment.notation;
  draw();
  answered();
}

function answered() {
  document.body.dataset.busy = "false";
  document.body.dataset.assessed = String(Number(document.body.dataset.assessed || 0) + 1);
}

async function addPhoto(file) {
  say(gettext("Reading the tiles…"));
  try {
    const photo = await shrunk(file);
    const more = await upload(photo, file.name || "photo", () => {}).finished;
    commit(model.addPhoto(draft(), more));
    const found = more.tiles.filter((tile) => tile.role !== "stray").length;
    say(ngettext("%(number)s tile added.", "%(number)s tiles added.", found), { label: gettext("Undo"), run: undo });
    view.turnTo(draft(), draft().photos.length - 1);
    draw();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message);
  }
}

function undo() {
  page.history = model.undo(page.history);
  changed();
}

function redo() {
  page.history = model.redo(page.history);
  changed();
}

part("notation-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const complaint = part("notation-error");
  complaint.hidden = true;
  try {
    const hand = await call("POST", "/notation", { text: part("notation-text").value });
    part("notation-text").blur();
    commit({ ...model.fromHand(hand), photos: draft().photos });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complaint.textContent = error.message;
    complaint.dataset.code = error.code;
    complaint.hidden = false;
  }
});

// Over plain HTTP browsers keep the clipboard and the share sheet away from pages: there the text is put, selected,
// into the field of the hand as text.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say(gettext("Copied."));
  } catch {
    const field = part("notation-text");
    part("notation").open = true;
    field.value = text;
    field.focus();
    field.select();
    document.execCommand("copy");
    say(gettext("Copied."));
  }
}

function link() {
  const query = new URLSearchParams({ h: page.assessment.notation, profile: draft().conditions.profile });
  return `${location.origin}/hand?${query}`;
}

function copyLink() {
  return copy(link());
}

async function share() {
  const text = scoreText({ assessment: page.assessment });
  if (!navigator.share) {
    await copy(text.split("\n").join(" · "));
    return;
  }
  try {
    await navigator.share({ title: "Fanlens", text, url: link() });
  } catch (error) {
    if (error.name !== "AbortError") await copy(text.split("\n").join(" · "));
  }
}

part("notation-copy").addEventListener("click", () => copy(part("notation-text").value));

// A shared link carries the hand in the notation; it replaces what this browser remembers, undoably.
async function openLinked() {
  const asked = new URLSearchParams(location.search);
  const [text, profile] = [asked.get("h"), asked.get("profile")];
  if (!text) return;
  window.history.replaceState(null, "", location.pathname);
  try {
    const hand = await call("POST", "/notation", { text });
    page.adding = false;
    const linked = model.fromHand(hand);
    commit(profile ? model.setCondition(linked, "profile", profile) : linked);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message);
  }
}

listenToKeys({
  draft,
  undo,
  redo,
  closeSheet: () => (page.selected !== null || page.adding) && closeSheet(),
  addFace,
  replace: (id, face) => {
    page.selected = null;
    commit(model.setFace(draft(), id, face));
    focusOn(`tile-${id}`);
  },
  remove: (id) => commit(model.removeTile(draft(), id)),
  selected: () => page.selected,
});

if (draft().tiles.length) remember();
else if (part("photo-gone")) {
  part("photo-gone").hidden = true;
  part("nothing-kept").hidden = false;
} else if (!recognition) page.adding = true;
draw();
assess();
scoreReadings();
openLinked();
