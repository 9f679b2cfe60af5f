// The match as a file: a picture to share, a score sheet to print, and exports.

import { ApiError } from "../api.js";
import { gettext, h, say } from "../dom.js";
import { shareFile } from "../share.js";

export function drawFiles(section, { match, key }) {
  const link = (label, form) =>
    h("a", { class: "button", href: `/api/v1/matches/${key}/export.${form}`, download: true }, label);
  section.hidden = match.rows.length === 0 && match.charges.length === 0;
  section.replaceChildren(
    h("h2", {}, gettext("Print and keep")),
    h(
      "div",
      { class: "row" },
      link(gettext("Score sheet to print (PDF)"), "pdf"),
      link(gettext("Score sheet as CSV"), "csv"),
      link(gettext("Everything as JSON"), "json"),
    ),
  );
}

export function shareButton(key) {
  return h(
    "button",
    { type: "button", class: "button primary", onclick: () => sharePicture(key), "data-action": "share" },
    gettext("Share as a picture"),
  );
}

async function sharePicture(key) {
  say(gettext("Drawing the picture…"));
  try {
    const response = await fetch(`/api/v1/matches/${key}/export.png`);
    if (!response.ok) {
      const { error } = await response.json();
      throw new ApiError(error.code, error.message);
    }
    await shareFile(new File([await response.blob()], "fanlens-match.png", { type: "image/png" }));
  } catch (error) {
    if (error instanceof ApiError) say(error.message);
    else if (error instanceof TypeError)
      say(gettext("Fanlens cannot be reached. Check the network; nothing is lost."));
    else throw error;
  }
}
