// The confirmation page: one draft, its history, and what is drawn from it.

import { ApiError, call, upload } from "./api.js";
import { countText, drawBar } from "./bar.js";
import { drawBoard } from "./board.js";
import { countCard, readingsCard, scoredReadings, unsureCard } from "./cards.js";
import { complain, gettext, hush, ngettext, readJson, say, tileName } from "./dom.js";
import { listenToDrags } from "./drag.js";
import { focusOn } from "./focus.js";
import { redo as ahead, undo as back, step } from "./history.js";
import { fromHand, fromLink, addPhoto as withPhoto } from "./intake.js";
import { listenToKeys } from "./keys.js";
import { forget, players, recall, remember, tileset } from "./memory.js";
import * as model from "./model.js";
import { PhotoView } from "./photo.js";
import { listenToPlayers } from "./players.js";
import { drawConditions, drawScore } from "./score.js";
import { copy, link, sharePicture, shareText } from "./share.js";
import { drawSheet } from "./sheet.js";
import { shrunk } from "./shrink.js";
import { listenToTeaching } from "./teach.js";
import { totalText } from "./words.js";

const recognition = readJson("recognition");
const part = (id) => document.getElementById(id);
const NOTHING = {
  score: null,
  problem: null,
  payments: null,
  notation: null,
  why: null,
  waiting: null,
  what_if: null,
};
const page = {
  history: recall(recognition, location.pathname.split("/").pop()),
  selected: null,
  adding: false,
  assessment: { ...NOTHING },
  litFan: null,
  hovered: null,
  readings: [],
  saving: false,
};

// Without the recognition the photo is gone too; the hand itself is still here.
const photoView = recognition ? new PhotoView(part("photo"), { pick, add: addPhoto }) : null;

const draft = () => page.history.now;

function commit(next) {
  page.history = step(page.history, next);
  changed();
}

function changed() {
  page.litFan = null;
  page.hovered = null;
  if (page.selected !== null && !model.tileOf(draft(), page.selected)) page.selected = null;
  remember(page.history);
  hush();
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
  commit(
    model.tileOf(draft(), id).face === face ? model.agree(draft(), id) : model.setFace(draft(), id, face),
  );
  focusOn(`tile-${id}`);
}

function addFace(face) {
  const { held, expected } = model.countOf(draft());
  if (!model.isFlower(face) && held >= expected && model.inRole(draft(), "winning").length) {
    say(gettext("The hand is complete. Mark a kong or remove a tile first."));
    return;
  }
  if (
    draft().tiles.filter((tile) => tile.face === face && tile.role !== "stray").length >=
    (model.isFlower(face) ? 1 : 4)
  ) {
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

function draw() {
  const focused = document.activeElement?.dataset?.key;
  const light = lit();
  if (photoView) photoView.update(draft(), page.selected, light);
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
      photo: photoView !== null,
      countText: page.assessment.score
        ? `${countText(draft())} · ${totalText(page.assessment.score)}`
        : countText(draft()),
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
    setCondition: (name, value) => commit(model.setCondition(draft(), name, value)),
    share: () => shareText(draft(), page.assessment),
    picture: () => sharePicture(draft(), page.assessment),
    copyLink: () => copy(link(draft(), page.assessment)),
    light: (place) => {
      page.litFan = place;
      draw();
    },
    hover: (place) => {
      page.hovered = place;
      const light = lit();
      if (photoView) photoView.update(draft(), page.selected, light);
      for (const button of document.querySelectorAll("#board [data-tile]")) {
        button.classList.toggle("lit", light.has(Number(button.dataset.tile)));
      }
    },
  });
  showBar();
}

// What stands between the hand and its score, unsure tiles first; one tap settles each.
function drawCheck() {
  const view = {
    draft: draft(),
    photo: photoView !== null,
    adding: page.adding,
    readings: page.readings,
    commit,
    pick,
    focusOn,
    startAdding,
  };
  for (const [id, cards] of [
    ["check", [unsureCard(view), countCard(view)]],
    ["rivals", [readingsCard(view)]],
  ]) {
    const shown = cards.filter(Boolean);
    part(id).replaceChildren(...shown);
    part(id).hidden = shown.length === 0;
  }
}

// What recognition had to assume; gone once the person has changed something.
function notices() {
  if (!recognition || page.history.past.length) return [];
  return recognition.problems.filter((problem) =>
    ["winning_tile_unknown", "not_a_hand"].includes(problem.code),
  );
}

function showBar() {
  drawBar(part("bar"), {
    draft: draft(),
    assessment: page.assessment,
    saving: page.saving,
    save,
    askDiscarder,
  });
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
  if (page.saving) return;
  page.saving = true;
  part("save").disabled = true;
  const photos = draft().photos.map((one) => one.photo.split("/").pop().replace(".jpg", ""));
  const { key } = page.history;
  try {
    const entry = await call("POST", "/hands", {
      ...model.toHand(draft()),
      discarder: draft().discarder,
      players: players(),
      photos,
      key,
    });
    forget(draft());
    location.assign(`/hands#hand-${entry.id}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    page.saving = false;
    showBar();
    const list = { label: gettext("Confirmed hands"), run: () => location.assign("/hands") };
    say(error.message, error.code === "already_confirmed" ? list : null);
  }
}

// Back from the list, a browser may show this page as it was before the hand was confirmed.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && page.saving) location.reload();
});

let asking = null;

async function assess() {
  if (asking) asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  // While an answer is on its way the score shown belongs to the hand before.
  document.body.dataset.busy = "true";
  if (!draft().tiles.length) {
    page.assessment = {
      ...NOTHING,
      problem: { code: "no_tiles", message: gettext("Tap + to add tiles, or type them: 123m 55z.") },
    };
    drawResult();
    answered();
    return;
  }
  try {
    page.assessment = await call(
      "POST",
      "/assess",
      { ...model.toHand(draft()), discarder: draft().discarder },
      signal,
    );
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
  say(gettext("Preparing the photo…"));
  try {
    const photo = await shrunk(file);
    const sent = (done) =>
      say(
        done < 1
          ? gettext("Sending the photo: %(percent)s %", { percent: Math.floor(done * 100) })
          : gettext("Reading the tiles…"),
      );
    const more = await upload(photo, file.name || "photo", tileset(), sent).finished;
    commit(withPhoto(draft(), more));
    const found = more.tiles.filter((tile) => tile.role !== "stray").length;
    say(ngettext("%(number)s tile added.", "%(number)s tiles added.", found), {
      label: gettext("Undo"),
      run: undo,
    });
    photoView.turnTo(draft(), draft().photos.length - 1);
    draw();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
  }
}

function undo() {
  page.history = back(page.history);
  changed();
}

function redo() {
  page.history = ahead(page.history);
  changed();
}

part("notation-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const complaint = part("notation-error");
  complaint.hidden = true;
  try {
    const hand = await call("POST", "/notation", { text: part("notation-text").value });
    part("notation-text").blur();
    commit({ ...fromHand(hand), photos: draft().photos });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complaint.textContent = error.message;
    complaint.dataset.code = error.code;
    complaint.hidden = false;
  }
});

part("notation-copy").addEventListener("click", () => copy(part("notation-text").value));

// A shared link carries the hand in the notation and what the notation has no place for; it replaces what this
// browser remembers, undoably.
async function openLinked() {
  const asked = new URLSearchParams(location.search);
  const text = asked.get("h");
  if (!text) return;
  window.history.replaceState(null, "", location.pathname);
  try {
    const hand = await call("POST", "/notation", { text });
    page.adding = false;
    commit(fromLink(hand, asked));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
  }
}

listenToDrags(part("board"), (id, place) => {
  const next = model.dropped(draft(), id, place);
  if (next !== draft()) commit(next);
});

listenToPlayers(draw);
listenToTeaching(() => ({ draft: draft(), score: page.assessment.score }));

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

if (draft().tiles.length) remember(page.history);
else if (part("photo-gone")) {
  part("photo-gone").hidden = true;
  part("nothing-kept").hidden = false;
} else if (!recognition) page.adding = true;
draw();
assess();

async function weighReadings() {
  try {
    page.readings = await scoredReadings(recognition, draft().conditions);
    draw();
  } catch (error) {
    // Without a network the hand itself says so.
    if (!(error instanceof ApiError)) throw error;
  }
}

weighReadings();
openLinked();
