// The bar under the thumb: the total, what keeps the hand from being confirmed, and the button that confirms it.

import { gettext, h } from "./dom.js";
import { entry } from "./memory.js";
import { totalText } from "./words.js";

function confirmText(match) {
  if (entry) return gettext("Save correction");
  if (!match) return gettext("Confirm");
  return match.of === null ? gettext("Save and next") : gettext("Save correction");
}

// view: { answer, saving, save, ask }
export function drawBar(bar, view) {
  const { score, draft, match } = view.answer;
  const total = match?.bar ?? (score ? totalText(score) : gettext("No score yet"));
  bar.replaceChildren(
    h(
      "a",
      { class: "sum", href: "#score" },
      h("b", { id: "bar-total", role: "status" }, total),
      h("small", { id: "bar-note" }, draft.status),
    ),
    h(
      "button",
      {
        type: "button",
        class: "button primary",
        "data-key": "save",
        id: "save",
        disabled: view.saving || !(draft.ready || draft.ask),
        onclick: draft.ask ? view.ask : view.save,
      },
      confirmText(match),
    ),
  );
}
