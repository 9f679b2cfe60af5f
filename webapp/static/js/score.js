// How the hand was won, what it scores and who pays whom.

import { fanName, gettext, h, language, ngettext, tileArt, tileName } from "./dom.js";
import { SEATS } from "./model.js";
import { playerName, signed, windName } from "./words.js";

function choice(name, legend, options, current, run) {
  return h(
    "fieldset",
    { class: `segments ${name}` },
    h("legend", {}, legend),
    h(
      "div",
      { class: "segment-row" },
      options.map(([value, label]) =>
        h(
          "button",
          {
            type: "button",
            "data-key": `${name}-${value}`,
            "data-condition": name,
            "data-value": String(value),
            "aria-pressed": String(value === current),
            onclick: () => run(value),
          },
          label,
        ),
      ),
    ),
  );
}

function toggle(name, label, note, on, run) {
  return h(
    "button",
    {
      type: "button",
      class: "toggle",
      "data-key": name,
      "data-condition": name,
      "aria-pressed": String(on),
      onclick: () => run(!on),
    },
    h("span", {}, label),
    h("small", {}, note),
  );
}

// view: { draft, setCondition, setDiscarder }
export function drawConditions(section, view) {
  const { conditions, discarder } = view.draft;
  const set = (name) => (value) => view.setCondition(name, value);
  const winds = SEATS.map((seat) => [seat, windName(seat)]);
  const seats = () =>
    SEATS.map((seat) => [seat, [windName(seat), playerName(seat) && h("small", {}, playerName(seat))]]);
  const drawn = conditions.self_drawn;
  section.replaceChildren(
    choice(
      "self_drawn",
      gettext("Won by"),
      [
        [false, gettext("Discard")],
        [true, gettext("Self-drawn")],
      ],
      drawn,
      set("self_drawn"),
    ),
    drawn
      ? ""
      : choice(
          "discarder",
          gettext("Discarded by"),
          seats().filter(([seat]) => seat !== conditions.seat_wind),
          discarder,
          view.setDiscarder,
        ),
    choice("seat_wind", gettext("Winner's seat"), seats(), conditions.seat_wind, set("seat_wind")),
    choice(
      "prevalent_wind",
      gettext("Prevalent wind"),
      winds,
      conditions.prevalent_wind,
      set("prevalent_wind"),
    ),
    choice(
      "profile",
      gettext("Rules"),
      [
        ["guobiao", gettext("Guobiao")],
        ["text1998", "1998"],
        ["wmo2006", "WMO"],
        ["platform", gettext("Platform")],
      ],
      conditions.profile,
      set("profile"),
    ),
    conditions.profile === "platform"
      ? choice(
          "opening",
          gettext("Opening win"),
          [
            [null, gettext("None")],
            ["heavenly", gettext("Heavenly")],
            ["earthly", gettext("Earthly")],
            ["human", gettext("Human")],
          ],
          conditions.opening,
          set("opening"),
        )
      : "",
    h(
      "div",
      { class: "toggles" },
      toggle(
        "last_tile",
        gettext("Last tile"),
        drawn ? gettext("of the wall") : gettext("the last discard"),
        conditions.last_tile,
        set("last_tile"),
      ),
      toggle(
        "kong",
        drawn ? gettext("After a kong") : gettext("Robbed kong"),
        drawn ? gettext("replacement tile") : gettext("added to a pung"),
        conditions.kong,
        set("kong"),
      ),
      toggle(
        "fourth_tile",
        gettext("Fourth tile"),
        gettext("other three visible"),
        conditions.fourth_tile,
        set("fourth_tile"),
      ),
    ),
  );
}

function names(award) {
  const chinese = language.startsWith("zh");
  const first = h("b", {}, fanName(award));
  const second = h("small", { lang: chinese ? "en" : "zh-Hans" }, chinese ? award.english : award.fan);
  return [first, " ", second];
}

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
    pressed && h("p", { class: "rule" }, view.assessment.why.rules[award.fan]),
  );
}

function tileSet(faces) {
  const tile = (face) => h("span", { class: "tile mini" }, tileArt(face));
  return h(
    "span",
    { class: "set", role: "img", "aria-label": faces.map(tileName).join(", ") },
    faces.map(tile),
  );
}

// The same fan left out several times for the same reason is said once.
function merged(fans) {
  const kinds = new Map();
  for (const one of fans) {
    const key = `${one.fan} ${one.reason}`;
    kinds.set(key, { ...one, count: (kinds.get(key)?.count ?? 0) + 1 });
  }
  return [...kinds.values()];
}

function notCounted(view) {
  const fans = merged(view.assessment.why.not_counted);
  if (!fans.length) return "";
  return h(
    "details",
    { class: "not-counted", open: view.open },
    h(
      "summary",
      { "data-key": "not-counted" },
      ngettext("%(number)s fan not counted, and why", "%(number)s fans not counted, and why", fans.length),
    ),
    h(
      "ul",
      {},
      fans.map((one) =>
        h(
          "li",
          { "data-fan": one.fan },
          h("p", { class: "names" }, names(one), one.count > 1 && ` ×${one.count}`),
          h("p", { class: "rule" }, one.reason),
        ),
      ),
    ),
  );
}

function payments(view) {
  const { payments: by } = view.assessment;
  if (!by) return "";
  const { conditions, discarder } = view.draft;
  const head = (seat) =>
    h(
      "th",
      { scope: "col" },
      windName(seat),
      playerName(seat) && h("b", { class: "player" }, playerName(seat)),
      seat === conditions.seat_wind && h("small", {}, gettext("winner")),
      !conditions.self_drawn && seat === discarder && h("small", {}, gettext("discarder")),
    );
  return h(
    "table",
    { class: "payments" },
    h("caption", {}, gettext("Payments")),
    h("thead", {}, h("tr", {}, SEATS.map(head))),
    h(
      "tbody",
      {},
      h(
        "tr",
        {},
        SEATS.map((seat) =>
          h("td", { "data-seat": seat, class: by[seat] > 0 ? "won" : "paid" }, signed(by[seat])),
        ),
      ),
    ),
  );
}

// What the hand would score had it been won otherwise; a tap makes it so.
function whatIf(view) {
  const others = view.assessment.what_if;
  const named = {
    seat_wind: gettext("Winner's seat"),
    prevalent_wind: gettext("Prevalent wind"),
    self_drawn: gettext("Won by"),
  };
  const label = ({ condition, value }) =>
    condition === "self_drawn" ? (value ? gettext("Self-drawn") : gettext("Discard")) : windName(value);
  const chip = (other) =>
    h(
      "button",
      {
        type: "button",
        class: "chip",
        "data-key": `if-${other.condition}-${other.value}`,
        "data-total": other.total,
        onclick: () => view.setCondition(other.condition, other.value),
      },
      label(other),
      " ",
      h("b", {}, String(other.total)),
      !other.legal && h("small", {}, " ", gettext("under 8")),
    );
  const row = (condition) => {
    const chips = others.filter((one) => one.condition === condition).map(chip);
    return chips.length
      ? h(
          "div",
          { role: "group", "aria-label": named[condition] },
          h("p", { class: "caption" }, named[condition]),
          h("div", { class: "chips" }, chips),
        )
      : "";
  };
  return h(
    "details",
    { class: "what-if", open: view.asking },
    h("summary", { "data-key": "what-if" }, gettext("What if it had been won otherwise?")),
    ["self_drawn", "seat_wind", "prevalent_wind"].map(row),
  );
}

// Thirteen tiles: what completes them and for how much; a tap takes the tile as the winning one.
function waiting(view) {
  const { waits, tiles_from_ready: away } = view.assessment.waiting;
  if (!waits.length) {
    const text =
      away > 0
        ? ngettext(
            "Not ready: %(number)s tile would have to change.",
            "Not ready: %(number)s tiles would have to change.",
            away,
          )
        : gettext("Every tile this hand waits for is in it already.");
    return [h("p", { class: "problem", id: "problem", "data-code": "not_ready" }, text)];
  }
  const worth = (score) => (score ? `${score.total}${score.legal ? "" : ` (${gettext("under 8")})`}` : "–");
  const row = (wait) =>
    h(
      "tr",
      { "data-wait": wait.tile },
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          {
            type: "button",
            class: "tile",
            "data-key": `wait-${wait.tile}`,
            "aria-label": gettext("Win with %(tile)s", { tile: tileName(wait.tile) }),
            onclick: () => view.win(wait.tile),
          },
          tileArt(wait.tile),
        ),
      ),
      h("td", {}, String(wait.left)),
      h("td", {}, worth(wait.discard)),
      h("td", {}, worth(wait.self_drawn)),
    );
  const heads = [gettext("Tile"), gettext("Left"), gettext("Discard"), gettext("Self-drawn")];
  return [
    h(
      "table",
      { class: "waits", id: "waits" },
      h("caption", {}, gettext("Ready. This hand waits for:")),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((head) => h("th", { scope: "col" }, head)),
        ),
      ),
      h("tbody", {}, waits.map(row)),
    ),
  ];
}

// view: { draft, assessment, litFan, light, hover, win, setCondition, share, picture, copyLink }
export function drawScore(section, view) {
  const { score, problem } = view.assessment;
  if (!score && view.assessment.waiting) {
    section.replaceChildren(...waiting(view));
    return;
  }
  if (!score) {
    section.replaceChildren(
      h(
        "p",
        { class: "problem", id: "problem", "data-code": problem ? problem.code : "" },
        problem ? problem.message : "",
      ),
    );
    return;
  }
  const { qualifying, flowers } = score.points;
  const open = section.querySelector("details.not-counted")?.open;
  const asking = section.querySelector("details.what-if")?.open;
  section.replaceChildren(
    h(
      "div",
      { class: "total" },
      h("p", { class: "number", id: "total" }, String(score.total), h("span", {}, " ", gettext("points"))),
      h(
        "p",
        { class: score.legal ? "verdict legal" : "verdict illegal", id: "verdict" },
        h("span", { "aria-hidden": "true" }, score.legal ? "✓ " : "✕ "),
        score.legal
          ? gettext("Legal win: 8 points reached")
          : gettext("Not a legal win: %(number)s of 8 points", { number: qualifying }),
      ),
      flowers
        ? h(
            "p",
            { class: "sum" },
            gettext("%(fans)s from fans + %(flowers)s from flowers", { fans: qualifying, flowers }),
          )
        : "",
    ),
    h(
      "ul",
      { class: "fans" },
      score.awards.map((award, place) => fanRow(view, award, place)),
    ),
    notCounted({ ...view, open }),
    payments(view),
    whatIf({ ...view, asking }),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        { type: "button", class: "button", "data-key": "share", onclick: view.share },
        gettext("Share"),
      ),
      h(
        "button",
        { type: "button", class: "button", "data-key": "picture", onclick: view.picture },
        gettext("Picture"),
      ),
      h(
        "button",
        { type: "button", class: "button", "data-key": "link", onclick: view.copyLink },
        gettext("Copy link"),
      ),
    ),
    !view.assessment.payments && score.legal
      ? h(
          "p",
          { class: "hint", id: "who-discarded" },
          gettext("Who discarded the winning tile? Choose above to see the payments."),
        )
      : "",
  );
}
