// The bar under the thumb: the total, what stands in the way of confirming, and the button that confirms.

import { gettext, h, ngettext } from "./dom.js";
import { countOf, inRole } from "./model.js";
import { totalText } from "./words.js";

export function countText(draft) {
  const { held, expected } = countOf(draft);
  return gettext("%(held)s of %(expected)s tiles", { held, expected });
}

// Why the hand cannot be confirmed, in a few words; the score says it in full.
function obstacle({ draft, assessment }) {
  const { score, problem } = assessment;
  if (score) return gettext("Only %(number)s of 8 points", { number: score.points.qualifying });
  if (!draft.tiles.length) return gettext("No tiles yet");
  const { held, expected } = countOf(draft);
  if (held !== expected) return countText(draft);
  if (!inRole(draft, "winning").length) return gettext("No winning tile");
  return problem ? problem.message : "";
}

// view: { draft, assessment, saving, save, askDiscarder }
export function drawBar(bar, view) {
  const { score, payments } = view.assessment;
  const text = score ? totalText(score) : gettext("No score yet");
  const note = score?.legal
    ? ngettext("%(number)s fan", "%(number)s fans", score.awards.length)
    : obstacle(view);
  bar.replaceChildren(
    h(
      "a",
      { class: "sum", href: "#score" },
      h("b", { id: "bar-total", role: "status" }, text),
      h("small", { id: "bar-note" }, note),
    ),
    h(
      "button",
      {
        type: "button",
        class: "button primary",
        "data-key": "save",
        id: "save",
        disabled: view.saving || !score || !score.legal,
        onclick: payments ? view.save : view.askDiscarder,
      },
      gettext("Confirm"),
    ),
  );
}
