// The fans of a score, each with its tiles and its rule, and the fans that do not count with the reason.

import { fanName, h, language, ngettext, tileArt, tileName } from "./dom.js";

function names(award) {
  const chinese = language.startsWith("zh");
  const second = chinese ? award.english : award.fan;
  return [h("b", {}, fanName(award)), " ", h("small", { lang: chinese ? "en" : "zh-Hans" }, second)];
}

function tileSet(faces) {
  const tile = (face) => h("span", { class: "tile mini" }, tileArt(face));
  return h(
    "span",
    { class: "set", role: "img", "aria-label": faces.map(tileName).join(", ") },
    faces.map(tile),
  );
}

// view: { answer, litFan, light, hover }
function fanRow(view, award, place) {
  const pressed = view.litFan === place;
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "fanrow",
        "data-key": `fan-${place}`,
        "data-fan": award.fan,
        "aria-pressed": String(pressed),
        onclick: () => view.light(pressed ? null : place),
        onpointerenter: (event) => event.pointerType === "mouse" && view.hover(place),
        onpointerleave: (event) => event.pointerType === "mouse" && view.hover(null),
      },
      h(
        "span",
        { class: "names" },
        names(award),
        award.count > 1 && h("span", { class: "times" }, `×${award.count}`),
      ),
      h("span", { class: "points" }, String(award.points)),
    ),
    pressed && h("div", { class: "sets" }, award.tiles.map(tileSet)),
    pressed && h("p", { class: "rule" }, view.answer.why.rules[award.fan]),
  );
}

export function fanRows(view) {
  return h(
    "ul",
    { class: "fans" },
    view.answer.score.awards.map((award, place) => fanRow(view, award, place)),
  );
}

// A fan that does not count several times for one reason is shown once, with how often.
export function merged(fans) {
  const kinds = new Map();
  for (const one of fans) {
    const key = `${one.fan} ${one.reason}`;
    kinds.set(key, { ...one, count: (kinds.get(key)?.count ?? 0) + 1 });
  }
  return [...kinds.values()];
}

export function notCounted(why, open) {
  const fans = merged(why.not_counted);
  if (!fans.length) return "";
  const summary = ngettext(
    "%(number)s fan not counted, and why",
    "%(number)s fans not counted, and why",
    fans.length,
  );
  const row = (one) =>
    h(
      "li",
      { "data-fan": one.fan },
      h("p", { class: "names" }, names(one), one.count > 1 && ` ×${one.count}`),
      h("p", { class: "rule" }, one.reason),
    );
  return h(
    "details",
    { class: "not-counted", open },
    h("summary", { "data-key": "not-counted" }, summary),
    h("ul", {}, fans.map(row)),
  );
}
