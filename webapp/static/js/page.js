// The state of the confirmation page: one draft with its history, and the server's last answer about it.
//
// `commit` remembers and draws a new draft, `ask` sends it to /assess, and the answer is drawn.

import { assess } from "./assess.js";
import { hush, readJson } from "./dom.js";
import { redo as ahead, amend, undo as back, step } from "./history.js";
import { recall, remember } from "./memory.js";
import * as model from "./model.js";
import { showNotation } from "./notation.js";
import { nameSeats } from "./words.js";

const ASK_AGAIN_MS = 5000;
export const start = readJson("start");
export const page = {
  history: recall(start, location.pathname.split("/").pop()),
  answer: start.answer, // the last answer of /assess
  room: start.answer.draft.room, // how many more tiles the draft takes
  answered: Promise.resolve(), // when the answer to the latest question is drawn
  settled: null, // the tile of the check that was just answered
  selected: null,
  adding: false,
  litFan: null,
  hovered: null,
  readings: [],
  offered: null, // the draft of a further photo, until somebody says what it is for
  saving: false,
};

let draw = () => {};
let answered = () => {};

// `drawPage` draws everything, `afterAnswer` runs once an answer is drawn.
export function drawWith(drawPage, afterAnswer) {
  draw = drawPage;
  answered = afterAnswer;
}

export const draft = () => page.history.now;
export const empty = () => model.emptied({ ...draft(), conditions: start.draft.conditions });

export function commit(next) {
  if (next === draft()) return;
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
  ask();
}

export function ask() {
  page.answered = showAnswer(assess(draft(), page.answer));
}

async function showAnswer(asked) {
  // While an answer is on its way, the score on the page belongs to the hand before.
  document.body.dataset.busy = "true";
  const answer = await asked;
  if (!answer) return;
  page.answer = answer;
  nameSeats(answer.match?.players);
  if (answer.draft.key !== null) {
    page.room = answer.draft.room;
    chooseWinning(answer.draft.winning);
  }
  showNotation(answer.notation);
  draw();
  answered();
  document.body.dataset.busy = "false";
  document.body.dataset.assessed = String(Number(document.body.dataset.assessed || 0) + 1);
}

// The server knows which tile won where nobody said so; that is no step that could be undone.
function chooseWinning(winning) {
  const next = model.withWinning(draft(), winning);
  if (next === draft()) return;
  page.history = amend(page.history, next);
  remember(page.history);
}

// Without an answer the page asks again when the network is back, and now and then, for a server that was restarted.
function askWhenBack() {
  if (["offline", "unreadable_answer"].includes(page.answer.problem?.code)) ask();
}

export function set(conditions) {
  commit(model.act(draft(), { name: "conditions", set: conditions }));
}

export function undo() {
  page.history = back(page.history);
  changed();
}

export function redo() {
  page.history = ahead(page.history);
  changed();
}

window.addEventListener("online", askWhenBack);
setInterval(askWhenBack, ASK_AGAIN_MS);
