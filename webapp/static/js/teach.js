// Teaching a tile set from the photo on the page: only when somebody asks for it, and only once the hand wins and no
// tile of it is doubtful.

import { ApiError, call } from "./api.js";
import { complain, gettext, ngettext, say } from "./dom.js";
import { setTileset, tileset } from "./memory.js";

// The tiles of one photo that a person has looked at. What lies face down shows nothing of the face it was given.
function shownIn(draft, place) {
  return draft.tiles
    .filter((tile) => tile.photo === place && tile.quad && tile.role !== "stray")
    .filter((tile) => tile.seen !== "back" || tile.face === "back")
    .map(({ face, quad }) => ({ face, quad }));
}

function token(photo) {
  return photo.photo.split("/").pop().replace(".jpg", "");
}

async function teach(name, draft) {
  let set = null;
  for (const [place, photo] of draft.photos.entries()) {
    const tiles = shownIn(draft, place);
    if (tiles.length)
      set = await call("POST", `/tilesets/${encodeURIComponent(name)}/lessons`, {
        photo: token(photo),
        tiles,
      });
  }
  return set;
}

// `now` gives the draft, and whether it is sure enough to learn from.
export function listenToTeaching(now) {
  const form = document.getElementById("teach-form");
  if (!form) return;
  const field = form.querySelector("input");
  field.value = tileset() || field.value;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { draft, sure } = now();
    if (!sure) {
      complain(gettext("Check the hand first; only confirmed tiles are learned."));
      return;
    }
    const button = form.querySelector("button");
    button.disabled = true;
    try {
      const set = await teach(field.value.trim(), draft);
      setTileset(set.name);
      const learned = ngettext(
        "%(number)s tile learned in total.",
        "%(number)s tiles learned in total.",
        set.references,
      );
      const missing = ngettext(
        "%(number)s face is still missing.",
        "%(number)s faces are still missing.",
        set.missing.length,
      );
      say(`${learned} ${missing}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      complain(error.message);
    } finally {
      button.disabled = false;
    }
  });
}
