// The links of a match: one to look, one to enter points; and what only its owner may do.

import { gettext, h } from "../dom.js";
import { copy } from "../share.js";

export function drawLinks(section, view, keys, run) {
  const link = (label, key) =>
    h(
      "button",
      { type: "button", class: "button", onclick: () => copy(`${location.origin}/match/${key}`) },
      label,
    );
  const button = (label, action) => h("button", { type: "button", class: "button", onclick: action }, label);
  const owners = h(
    "div",
    { class: "row" },
    button(gettext("Rename a player"), run.rename),
    button(gettext("New owner's key"), run.handOver),
    button(gettext("Delete the match"), run.removeMatch),
  );
  section.replaceChildren(
    h("h2", {}, gettext("Share the match")),
    h(
      "p",
      { class: "hint" },
      gettext("Whoever has the link sees the match. Give the second link only to those who keep the score."),
    ),
    h(
      "div",
      { class: "row" },
      link(gettext("Copy the link to watch"), keys.look),
      keys.enter && link(gettext("Copy the link to keep the score"), keys.enter),
    ),
    ...(view.mayOwn ? [owners] : []),
  );
}
