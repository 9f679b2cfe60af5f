// A further photo of the same hand: sent, read and reported.

import { ApiError, upload } from "./api.js";
import { complain, gettext, ngettext, say } from "./dom.js";
import { tileset } from "./memory.js";
import { shrunk } from "./shrink.js";

function progress(done) {
  if (done < 1) say(gettext("Sending the photo: %(percent)s %", { percent: Math.floor(done * 100) }));
  else say(gettext("Reading the tiles…"));
}

// `take` gets the draft of the photo; `undo` takes its tiles away again.
export async function readAnother(file, take, undo) {
  say(gettext("Preparing the photo…"));
  try {
    const photo = await shrunk(file);
    const { start } = await upload(photo, file.name || "photo", tileset(), progress).finished;
    take(start.draft);
    const found = start.draft.tiles.filter((tile) => tile.role !== "stray").length;
    const text = ngettext("%(number)s tile added.", "%(number)s tiles added.", found);
    say(text, { label: gettext("Undo"), run: undo });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    complain(error.message);
  }
}
