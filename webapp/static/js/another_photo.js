// Photos taken while a hand is on the page: a further one of the same hand, or the same one again; and the tiles of a
// photo that somebody chose as the hand.

import { ApiError, call, upload } from "./api.js";
import { complain, gettext, h, ngettext, say } from "./dom.js";
import { tileset } from "./memory.js";
import { shrunk } from "./shrink.js";

function progress(done) {
  if (done < 1) say(gettext("Sending the photo: %(percent)s %", { percent: Math.floor(done * 100) }));
  else say(gettext("Reading the tiles…"));
}

// `take` gets the draft of the photo.
export async function readAnother(file, take) {
  say(gettext("Preparing the photo…"));
  try {
    const photo = await shrunk(file);
    const { start } = await upload(photo, file.name || "photo", tileset(), progress).finished;
    take(start.draft);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
  }
}

function played(draft) {
  return draft.tiles.filter((tile) => tile.role !== "stray").length;
}

// Says how many tiles came; `undo` takes them away again.
export function sayFound(more, undo) {
  const text = ngettext("%(number)s tile found.", "%(number)s tiles found.", played(more));
  say(text, { label: gettext("Undo"), run: undo });
}

// What to do with a further photo, `more`: the hand is in it, or what is missing from the hand.
export function anotherCard(more, { replace, add }) {
  const text = ngettext(
    "The new photo shows %(number)s tile. Is it the whole hand, or what is missing?",
    "The new photo shows %(number)s tiles. Are they the whole hand, or what is missing?",
    played(more),
  );
  const button = (key, label, run) =>
    h("button", { type: "button", class: "button", "data-key": key, onclick: run }, label);
  return h(
    "div",
    { class: "card fix", id: "another-photo" },
    h("p", {}, text),
    h(
      "div",
      { class: "row" },
      button("photo-replace", gettext("Replace the hand"), replace),
      button("photo-add", gettext("Add what is missing"), add),
    ),
  );
}

// The draft of a photo in which the tiles with these numbers are the hand, or null if it cannot be had.
export async function handAmong(photo, numbers) {
  const token = photo.photo.split("/").pop().replace(".jpg", "");
  try {
    const { start } = await call("POST", `/photos/${token}/hand`, { tiles: numbers });
    return start.draft;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
    return null;
  }
}
