// The confirmation page: what a tap does, and everything that is drawn from the draft and the server's answer.
//
// A tap becomes a change to the draft (`act` in model.js), `commit` remembers and draws the new draft, `ask` sends it to
// /assess (both in page.js), and the answer is drawn. Nothing else happens on a tap.

import { anotherCard, handAmong, readAnother, sayFound } from "./another_photo.js";
import { ApiError } from "./api.js";
import { armBack, listenToBack } from "./back.js";
import { drawBar } from "./bar.js";
import { drawBoard, lightTiles } from "./board.js";
import { checkCards, pointToCheck, readingsCard, scoredReadings } from "./checks.js";
import { confirm, enterIntoMatch } from "./confirming.js";
import { drawControls, pointTo } from "./controls.js";
import { gettext, hush, say } from "./dom.js";
import { listenToDrags } from "./drag.js";
import { focusOn } from "./focus.js";
import { addMissing, layChoice, layReading, replacePhotos } from "./intake.js";
import { listenToKeys } from "./keys.js";
import { remember } from "./memory.js";
import * as model from "./model.js";
import { listenToNotation, openLinked } from "./notation.js";
import { ask, commit, draft, drawWith, empty, page, redo, set, start, undo } from "./page.js";
import { PhotoView } from "./photo.js";
import { listenToPlayers } from "./players.js";
import { roomAfter, whyNot } from "./room.js";
import { drawScore } from "./score.js";
import { copy, link, sharePicture, shareText } from "./share.js";
import { drawSheet, keepAbove } from "./sheet.js";
import { listenToTeaching } from "./teach.js";
import { totalText } from "./words.js";

const part = (id) => document.getElementById(id);

// Without the photo the hand is still here.
const photoView = start.draft.photos.length
  ? new PhotoView(part("photo"), { pick, add: addPhoto, retake, choose: chooseHand })
  : null;

function focusOnNextCheck() {
  if (page.settled === null) return;
  const next = document.querySelector("#doubt button");
  focusOn(next ? next.dataset.key : `tile-${page.settled}`);
  page.settled = null;
}

function pick(id) {
  page.adding = false;
  page.selected = page.selected === id ? null : id;
  draw();
  if (page.selected === null) return;
  focusOn("close");
  keepAbove(part("sheet"), document.querySelector(`[data-key="tile-${id}"]`));
}

function closeSheet() {
  const from = page.selected === null ? "add" : `tile-${page.selected}`;
  page.selected = null;
  page.adding = false;
  draw();
  focusOn(from);
}

function startAdding() {
  page.selected = null;
  page.adding = true;
  draw();
  focusOn("close");
}

function choose(face) {
  if (page.adding) addFace(face);
  else act({ name: "face", tile: page.selected, face });
}

function addFace(face) {
  const refusal = whyNot(page.room, face);
  if (refusal) {
    say(refusal);
    return;
  }
  page.room = roomAfter(page.room, face);
  commit(model.act(draft(), { name: "add", face }));
}

// A change to the selected tile. The sheet would hide what happened, so it closes.
function act(change) {
  const id = page.selected;
  page.selected = null;
  const before = draft();
  commit(model.act(before, change));
  if (draft() === before) draw();
  focusOn(`tile-${id}`);
}

// The change of a button on a card that asks about `tile`, or about the whole hand.
function settle(change, tile) {
  if (change.name === "show_keyboard") startAdding();
  else if (change.name === "show_tile") pick(change.tile);
  else if (change.name === "choose_hand") startChoosing();
  else if (change.name === "retake") startRetake();
  else {
    page.settled = tile;
    commit(model.act(draft(), change));
  }
}

function lit() {
  return new Set(page.answer.draft.lit[page.hovered ?? page.litFan] ?? []);
}

function draw() {
  const focused = document.activeElement?.dataset?.key;
  const light = lit();
  if (photoView) photoView.update(draft(), page.selected, light);
  drawChecks();
  const { melds, count } = page.answer.draft;
  drawBoard(part("board"), {
    draft: draft(),
    melds,
    count,
    selected: page.selected,
    lit: light,
    canUndo: page.history.past.length > 0,
    canRedo: page.history.ahead.length > 0,
    // What recognition had to assume; gone once somebody has changed something.
    notices: page.history.past.length ? [] : start.notices,
    pick,
    add: startAdding,
    undo,
    redo,
    clear,
    chooseRow: photoView ? chooseRow : null,
  });
  drawControls(part("conditions"), page.answer.controls, set);
  drawResult();
  drawOpenSheet();
  if (focused && document.activeElement === document.body) focusOn(focused);
}

function drawOpenSheet() {
  const tile = page.selected === null ? null : model.tileOf(draft(), page.selected);
  const open = tile !== null || page.adding;
  document.body.classList.toggle("with-sheet", open);
  if (!open) {
    part("sheet").hidden = true;
    return;
  }
  armBack();
  const { answer } = page;
  drawSheet(part("sheet"), {
    draft: draft(),
    tile,
    actions: answer.draft.actions[tile?.id] ?? [],
    photo: photoView !== null,
    countText: [answer.draft.count.text, answer.score && totalText(answer.score)].filter(Boolean).join(" · "),
    choose,
    act,
    close: closeSheet,
  });
}

function drawResult() {
  drawScore(part("score"), {
    answer: page.answer,
    litFan: page.litFan,
    win: addFace,
    set,
    share: () => shareText(page.answer),
    picture: () => sharePicture(page.answer),
    copyLink: () => copy(link(page.answer)),
    light: (place) => {
      page.litFan = place;
      draw();
    },
    hover,
  });
  showBar();
}

function hover(place) {
  page.hovered = place;
  const light = lit();
  if (photoView) photoView.update(draft(), page.selected, light);
  lightTiles(part("board"), light);
}

// What stands between the hand and its score; one tap settles each.
function drawChecks() {
  const view = { draft: draft(), photo: photoView !== null, answer: settle };
  const { checks, key } = page.answer.draft;
  const another = page.offered && anotherCard(page.offered, { replace: replaceHand, add: addToHand });
  const rivals = readingsCard(page.readings, key, (reading) => commit(layReading(draft(), reading)));
  const asked = checkCards(view, checks, page.adding);
  const shown = { check: another ? [another, ...asked] : asked, rivals: rivals ? [rivals] : [] };
  for (const [id, cards] of Object.entries(shown)) {
    part(id).replaceChildren(...cards);
    part(id).hidden = cards.length === 0;
  }
}

function showBar() {
  drawBar(part("bar"), { answer: page.answer, saving: page.saving, save, ask: askForCondition });
}

function askForCondition() {
  const { name, text } = page.answer.draft.ask;
  say(text);
  if (name === "check") pointToCheck();
  else pointTo(name);
}

async function save() {
  if (page.saving) return;
  page.saving = true;
  part("save").disabled = true;
  await page.answered;
  const { draft: about, match } = page.answer;
  const { key } = page.history;
  const write = match ? enterIntoMatch.bind(null, match) : confirm;
  if (about.ready && (await write(about.hand, draft(), key))) return;
  page.saving = false;
  showBar();
}

// Back from the list, a browser may show this page as it was before the hand was confirmed.
window.addEventListener("pageshow", (event) => {
  if (event.persisted && page.saving) location.reload();
});

function clear() {
  commit(model.cleared(draft()));
  photoView?.goWhole();
}

// A further photo: it is asked whether it replaces the hand or completes it, unless there is no hand yet.
function addPhoto(file) {
  return readAnother(file, (more) => {
    page.offered = more;
    if (!draft().tiles.some((tile) => tile.role !== "stray")) return replaceHand();
    hush();
    draw();
    focusOn("photo-add");
  });
}

function retake(file) {
  return readAnother(file, (more) => {
    page.offered = more;
    replaceHand();
  });
}

function replaceHand() {
  takePhotos(replacePhotos(draft(), page.offered));
}

function addToHand() {
  takePhotos(addMissing(draft(), page.offered, page.room));
}

function takePhotos(next) {
  const more = page.offered;
  page.offered = null;
  commit(next);
  photoView.turnTo(draft(), draft().photos.length - 1);
  draw();
  sayFound(more, undo);
}

// These tiles of the photo at `place` are the hand.
async function chooseHand(place, tiles) {
  const numbers = tiles.map((tile) => tile.number);
  const chosen = await handAmong(draft().photos[place], numbers);
  if (!chosen) return;
  commit(layChoice(draft(), place, chosen));
  photoView.turnTo(draft(), place);
  draw();
  sayFound(chosen, undo);
}

function chooseRow({ photo, row }) {
  return chooseHand(
    photo,
    draft().tiles.filter((tile) => tile.photo === photo && tile.row === row),
  );
}

function startChoosing() {
  if (!photoView) return say(gettext("The photo has expired. Tap the tiles that were left out."));
  photoView.setChoosing(true);
  part("photo").scrollIntoView({ block: "nearest" });
}

function startRetake() {
  if (photoView) part("retake").click();
  else location.assign("/");
}

async function weighReadings() {
  try {
    page.readings = await scoredReadings(start.readings, draft().conditions);
    draw();
  } catch (error) {
    // Without a network the hand itself says so.
    if (!(error instanceof ApiError)) throw error;
  }
}

function takeHand(hand) {
  page.adding = false;
  commit(hand);
}

listenToDrags(part("board"), (id, place) => commit(model.dropped(draft(), id, place)));
listenToNotation(empty, commit);
listenToPlayers(draw);
listenToTeaching(() => ({ draft: draft(), sure: page.answer.draft.sure }));
listenToBack(() => {
  const open = page.selected !== null || page.adding;
  if (open) closeSheet();
  return open;
});
listenToKeys({
  save: () => part("save").click(),
  undo,
  redo,
  closeSheet: () => (page.selected !== null || page.adding) && closeSheet(),
  addFace,
  replace: (id, face) => {
    page.selected = id;
    act({ name: "face", tile: id, face });
  },
  remove: (id) => commit(model.act(draft(), { name: "remove", tile: id })),
  selected: () => page.selected,
});

if (draft().tiles.length) {
  remember(page.history);
  const nothingYet = { ...start.answer.draft, count: { right: true, text: "" }, status: "" };
  page.answer = { ...start.answer, problem: null, draft: nothingYet };
} else if (part("photo-gone")) {
  part("photo-gone").hidden = true;
  part("nothing-kept").hidden = false;
} else if (!start.draft.photos.length) page.adding = true;
drawWith(draw, focusOnNextCheck);
draw();
ask();
weighReadings();
openLinked(empty, takeHand);
