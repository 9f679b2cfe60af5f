// The tile sets. This browser remembers which one reads. Forgetting one takes a second tap, because it is final.

import { ApiError, call } from "./api.js";
import { complain, gettext, say } from "./dom.js";
import { setTileset, tileset } from "./memory.js";

const choices = [...document.querySelectorAll("#tilesets input")];

function show() {
  const chosen = choices.find((one) => one.value === tileset()) || choices[0];
  chosen.checked = true;
}

for (const one of choices) one.addEventListener("change", () => setTileset(one.value));

for (const button of document.querySelectorAll("#tilesets .forget")) {
  const card = button.closest("[data-name]");
  const { name } = card.dataset;
  button.addEventListener("click", async () => {
    if (button.dataset.really) {
      button.textContent = button.dataset.really;
      delete button.dataset.really;
      return;
    }
    try {
      await call("DELETE", `/tilesets/${encodeURIComponent(name)}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      complain(error.message);
      return;
    }
    if (tileset() === name) setTileset("");
    card.remove();
    show();
    say(gettext("The tile set was forgotten."));
    choices[0].focus();
  });
}

show();
