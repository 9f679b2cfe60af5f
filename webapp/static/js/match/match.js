// One match: the table, the score sheet, and what can be entered. The server derives everything that is shown; this
// page sends what happened, asks every two seconds whether anything else did, and draws the answer.

import { ApiError, call, upload } from "../api.js";
import { available, openCamera, wantsCamera } from "../camera.js";
import { complain, gettext, h, ngettext, readJson, say } from "../dom.js";
import { tileset } from "../memory.js";
import { shrunk } from "../shrink.js";
import { drawEnd } from "./end.js";
import { drawFiles } from "./files.js";
import {
  confirmHandOver,
  confirmRemoval,
  drawForm,
  endForm,
  penaltyForm,
  pointsForm,
  renameForm,
} from "./forms.js";
import * as keys from "./keys.js";
import { drawLinks, linkForm } from "./links.js";
import { drawNeeds } from "./needs.js";
import * as outbox from "./outbox.js";
import { seatsForm } from "./seats_form.js";
import { drawSheet } from "./sheet.js";
import { drawNow, drawTable } from "./table.js";

const POLL_MS = 2000;
const opened = readJson("match-key");
const part = (id) => document.getElementById(id);
const page = { answer: null, etag: null, running: true, sending: false, offline: false };

const key = () => keys.strongest(opened);
const look = () => page.answer.keys.look;
// The owner's key: the one that this browser holds, or else the one that opened the page.
const ownersKey = () => keys.ownKey(look()) ?? opened;

function show(answer) {
  page.answer = { ...page.answer, ...answer };
  keys.keep(answer.access === "own" ? { ...answer, owner_key: answer.owner_key ?? ownersKey() } : answer);
  draw();
}

function draw() {
  const { match, access } = page.answer;
  const view = {
    match,
    mayEnter: access !== "look",
    mayOwn: keys.ownKey(look()) !== null,
    running: page.running,
    key: key(),
    open: openEntry,
    remove: (entry) => enter({ event: { kind: "withdrawal", of: entry } }),
    setRunning: (running) => {
      page.running = running;
      draw();
    },
  };
  drawWaiting();
  drawNow(part("now"), view);
  drawTable(part("table"), view);
  drawActions(view);
  drawEnd(part("end"), view);
  drawSheet(part("columns"), part("rows"), view);
  drawNeeds(part("needs"), view);
  drawFiles(part("files"), view);
  drawLinks(part("links"), view, page.answer.keys, { show: showLink, rename, handOver, removeMatch });
}

function drawWaiting() {
  const left = outbox.waiting(look()).length;
  part("waiting").hidden = left === 0;
  part("waiting").textContent = left
    ? ngettext(
        "%(number)s entry waits to be sent. It is kept on this device and sent when the network is back.",
        "%(number)s entries wait to be sent. They are kept on this device and sent when the network is back.",
        left,
      )
    : "";
}

function drawActions(view) {
  const { match } = view;
  const button = (name, label, run) =>
    h("button", { type: "button", class: "button big", "data-action": name, onclick: run }, label);
  const actions = [];
  if (view.mayEnter && !match.over) {
    actions.push(
      h("label", { class: "button big primary", for: "camera", onclick: openLive }, gettext("Photo")),
      h("a", { class: "button big", "data-action": "type", href: `/hand?match=${key()}` }, gettext("Type")),
      button("points", gettext("Points only"), () => ask(pointsForm(match, (event) => enter({ event })))),
      button("draw", gettext("Draw"), () => ask(drawForm((event) => enter({ event })))),
    );
  }
  if (view.mayEnter) {
    actions.push(
      button("penalty", gettext("Penalty"), () => ask(penaltyForm(match, (event) => enter({ event })))),
    );
    if (match.last_event) actions.push(button("undo", gettext("Undo"), undo));
    if (!match.over) {
      actions.push(
        button("seats", gettext("Seats are wrong"), () => ask(seatsForm(match, (event) => enter({ event })))),
        button("end", gettext("End the match"), () => ask(endForm(match, (event) => enter({ event })))),
      );
    }
  }
  part("actions").replaceChildren(...actions);
}

function ask(form) {
  part("dialog").replaceChildren(form);
  part("dialog").showModal();
}

function openEntry(number) {
  location.assign(`/match/${key()}/entry/${number}`);
}

// Takes back the last thing that was entered; it stays in the list of events and can be brought back the same way.
function undo() {
  enter({ event: { kind: "withdrawal", of: page.answer.match.last_event } });
}

async function enter(body) {
  part("dialog").close();
  outbox.queue(look(), {
    ...body,
    after: page.answer.match.events,
    behind: outbox.waiting(look()).length,
  });
  drawWaiting();
  await flush();
}

async function flush() {
  if (page.sending) return;
  page.sending = true;
  try {
    const { match, refused } = await outbox.flush(look(), key());
    if (match) show(match);
    if (refused) explain(refused);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message);
  } finally {
    page.sending = false;
    drawWaiting();
  }
}

// Somebody else was first: show what happened, and let the person enter theirs on top of it or drop it.
function explain({ entry, error }) {
  if (error.code !== "out_of_date") {
    complain(error.message);
    return;
  }
  show(error.answer);
  say(error.message, {
    label: gettext("Enter mine too"),
    run: () => {
      const { after, behind, ...body } = entry;
      enter(body);
    },
  });
}

async function poll() {
  if (document.visibilityState === "visible" && !page.sending) {
    try {
      const headers = page.etag ? { "If-None-Match": page.etag } : {};
      const response = await fetch(`/api/v1/matches/${key()}`, { headers, cache: "no-store" });
      page.offline = false;
      if (response.status === 200) {
        page.etag = response.headers.get("ETag");
        show(await response.json());
      } else if (response.status === 404 && !forgetOldKey()) {
        complain(gettext("This match has been deleted."));
        return;
      }
      if (outbox.waiting(look()).length) await flush();
    } catch {
      // No network: what is shown stays, what is entered waits, and the next look tries again.
      if (!page.offline) say(gettext("Fanlens cannot be reached. Entries are kept until it can."));
      page.offline = true;
    }
  }
  setTimeout(poll, POLL_MS);
}

// Where there is a live camera, it opens instead of the phone's own.
async function openLive(event) {
  if (!available()) return;
  event?.preventDefault();
  try {
    await openCamera(photograph);
  } catch (problem) {
    if (!(problem instanceof DOMException)) throw problem;
    // The person refused, or another application has the camera.
    complain(gettext("The camera cannot be used here. Type the hand, or choose a photo on the start page."));
  }
}

async function photograph(file, evidence = "") {
  say(gettext("Preparing the photo…"));
  try {
    const photo = await shrunk(file);
    const sent = (done) =>
      say(
        done < 1
          ? gettext("Sending the photo: %(percent)s %", { percent: Math.floor(done * 100) })
          : gettext("Reading the tiles…"),
      );
    const answer = await upload(photo, file.name || "photo", tileset(), sent, evidence).finished;
    location.assign(`${answer.page}?match=${key()}`);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
  }
}

part("camera").addEventListener("change", (event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) photograph(file);
});

async function own(method, path, body, done) {
  part("dialog").close();
  try {
    done(await call(method, `/matches/${keys.ownKey(look())}${path}`, body));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
  }
}

function rename() {
  ask(renameForm(page.answer.match, (player, name) => own("POST", "/rename", { player, name }, show)));
}

function showLink(title, linked) {
  ask(linkForm(title, linked, () => part("dialog").close()));
}

// Makes a new owner's key, which this browser does not keep: whoever opens its link owns the match from then on.
function handOver() {
  const run = () =>
    own("POST", "/hand-over", {}, (answer) => {
      keys.giveUp(look());
      draw();
      showLink(gettext("Link for the new owner"), answer.owner_key);
    });
  ask(confirmHandOver(run));
}

function removeMatch() {
  const run = () =>
    own("DELETE", "", undefined, () => {
      keys.drop(look());
      location.assign("/matches");
    });
  ask(confirmRemoval(run));
}

// An owner's key stops working when the match is handed over. Without it the page goes on with the other keys.
function forgetOldKey() {
  const kept = keys.lookKey(opened);
  if (!keys.ownKey(kept)) return false;
  keys.giveUp(kept);
  return true;
}

async function begin() {
  try {
    show(await call("GET", `/matches/${key()}`));
    if (wantsCamera() && page.answer.access !== "look" && !page.answer.match.over) openLive();
    await flush();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "no_such_match" && forgetOldKey()) return begin();
    complain(error.message);
  }
  setTimeout(poll, POLL_MS);
}

begin();
