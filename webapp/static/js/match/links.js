// The links of a match: one to look, one to enter points; and what only its owner may do.

import { gettext, h, say } from "../dom.js";

export function drawLinks(section, view, keys, run) {
  const button = (label, action) => h("button", { type: "button", class: "button", onclick: action }, label);
  const looking = button(gettext("Link to watch"), () => run.show(gettext("Link to watch"), keys.look));
  const entering =
    keys.enter &&
    button(gettext("Link to keep the score"), () => run.show(gettext("Link to keep the score"), keys.enter));
  const owners = h(
    "div",
    { class: "row" },
    button(gettext("Rename a player"), run.rename),
    button(gettext("Hand the match over"), run.handOver),
    button(gettext("Delete the match"), run.removeMatch),
  );
  section.replaceChildren(
    h("h2", {}, gettext("Share the match")),
    h(
      "p",
      { class: "hint" },
      gettext("Whoever has the link sees the match. Give the second link only to those who keep the score."),
    ),
    h("div", { class: "row" }, looking, entering),
    ...(view.mayOwn ? [owners] : []),
  );
}

// A link as text and as a QR code that another phone scans. Over plain HTTP a page has no clipboard: the link is
// selected there, so that the person can copy it.
export function linkForm(title, key, close) {
  const field = h("input", {
    readonly: true,
    value: `${location.origin}/match/${key}`,
    onfocus: () => field.select(),
  });
  const copy = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    say(gettext("Copied."));
  };
  return h(
    "form",
    { method: "dialog" },
    h("h2", { id: "dialog-title" }, title),
    h("img", {
      class: "qr",
      src: `/match/${key}/qr.svg`,
      alt: gettext("QR code of the link"),
      width: 240,
      height: 240,
    }),
    h("label", {}, gettext("Link"), field),
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "button primary", onclick: copy }, gettext("Copy")),
      h("button", { type: "button", class: "button", onclick: close }, gettext("Close")),
    ),
  );
}
