// The dialogs of a match. Each is a form that hands an event, or what else was asked for, to `done`.

import { gettext, h } from "../dom.js";

const dialog = () => document.getElementById("dialog");

export function shell(title, content, buttons) {
  const cancel = h(
    "button",
    { type: "button", class: "button", onclick: () => dialog().close() },
    gettext("Cancel"),
  );
  return h(
    "form",
    { method: "dialog" },
    h("h2", { id: "dialog-title" }, title),
    content,
    h("div", { class: "row" }, buttons, cancel),
  );
}

// Buttons of which one is pressed; `value()` is what was chosen, undefined before.
function choice(legend, options, run) {
  let chosen;
  const buttons = options.map(([value, label]) =>
    h(
      "button",
      {
        type: "button",
        class: "button",
        "aria-pressed": "false",
        "data-value": String(value),
        onclick: (event) => {
          chosen = value;
          for (const one of buttons) one.setAttribute("aria-pressed", String(one === event.currentTarget));
          run(value);
        },
      },
      label,
    ),
  );
  const element = h(
    "fieldset",
    { class: "choice" },
    h("legend", {}, legend),
    h("div", { class: "row" }, buttons),
  );
  return { element, buttons, value: () => chosen };
}

export function saveButton(run, label = gettext("Save")) {
  return h(
    "button",
    { type: "button", class: "button primary", disabled: true, "data-save": true, onclick: run },
    label,
  );
}

function number(label, attributes, run) {
  const input = h("input", {
    type: "number",
    inputmode: "numeric",
    required: true,
    ...attributes,
    oninput: run,
  });
  return {
    element: h("label", {}, label, input),
    input,
    value: () => (input.validity.valid ? Number(input.value) : 0),
  };
}

export function drawForm(done) {
  const pick = (timed_out) => () => done({ kind: "draw", timed_out });
  return shell(gettext("Nobody won"), h("p", {}, gettext("The deal passes on, and nobody pays.")), [
    h(
      "button",
      { type: "button", class: "button primary", "data-save": true, onclick: pick(false) },
      gettext("The wall ran out"),
    ),
    h("button", { type: "button", class: "button", onclick: pick(true) }, gettext("Time was up")),
  ]);
}

export function pointsForm(match, done) {
  const update = () => {
    const ready =
      winner.value() !== undefined && from.value() !== undefined && from.value() !== winner.value();
    save.disabled = !ready || points.value() < match.minimum;
    for (const button of from.buttons) button.disabled = button.dataset.value === String(winner.value());
  };
  const named = match.players.map((name, player) => [player, name]);
  const winner = choice(gettext("Who won?"), named, update);
  const from = choice(gettext("From whom?"), [[null, gettext("Self-drawn")], ...named], update);
  const points = number(gettext("Points, flowers included"), { min: match.minimum, max: 9999 }, update);
  const save = saveButton(() =>
    done({ kind: "win", winner: winner.value(), discarder: from.value(), points: points.value() }),
  );
  return shell(gettext("Points only"), [winner.element, from.element, points.element], save);
}

export function penaltyForm(match, done) {
  const update = () => {
    const shared = kind.value() === "divided";
    const amount = points.value();
    save.disabled = player.value() === undefined || amount < 1 || (shared && amount % 3 !== 0);
    hint.hidden = !(shared && amount % 3 !== 0);
  };
  const player = choice(
    gettext("Who?"),
    match.players.map((name, index) => [index, name]),
    update,
  );
  const kind = choice(
    gettext("Who gets the points?"),
    [
      ["divided", gettext("The other three")],
      ["table", gettext("Nobody (the table)")],
      ["false_win", gettext("False win: %(points)s to each", { points: match.settings.false_win })],
    ],
    update,
  );
  const points = number(gettext("Points lost"), { min: 1, max: 9999, value: 30 }, update);
  const reason = h("input", { maxlength: 200, autocomplete: "off" });
  const ends = h("input", { type: "checkbox" });
  const hint = h(
    "p",
    { class: "hint", hidden: true },
    gettext("Three players share it: use a multiple of 3."),
  );
  const save = saveButton(() => {
    const shared = { player: player.value(), ends_hand: ends.checked };
    if (kind.value() === "false_win") done({ kind: "false_win", each: match.settings.false_win, ...shared });
    else
      done({
        kind: "penalty",
        points: points.value(),
        divided: kind.value() !== "table",
        reason: reason.value.trim(),
        ...shared,
      });
  });
  kind.buttons[0].click();
  return shell(
    gettext("Penalty"),
    [
      player.element,
      kind.element,
      points.element,
      hint,
      h("label", {}, gettext("Reason"), reason),
      h("label", { class: "check" }, ends, " ", gettext("The hand ends with it")),
    ],
    save,
  );
}

export function endForm(match, done) {
  const reason = h("input", { maxlength: 200, autocomplete: "off" });
  const end = h(
    "button",
    {
      type: "button",
      class: "button primary",
      "data-save": true,
      onclick: () => done({ kind: "ended_early", reason: reason.value.trim() }),
    },
    gettext("End the match"),
  );
  const played = gettext("%(played)s of %(hands)s hands have been played.", {
    played: match.hands_played,
    hands: match.hands,
  });
  return shell(
    gettext("End the match now?"),
    [h("p", {}, played), h("label", {}, gettext("Reason"), reason)],
    end,
  );
}

export function renameForm(match, done) {
  const name = h("input", { maxlength: 40, autocomplete: "off", oninput: () => update() });
  const update = () => {
    save.disabled = player.value() === undefined || !name.value.trim();
  };
  const player = choice(
    gettext("Who?"),
    match.players.map((one, index) => [index, one]),
    (index) => {
      name.value = match.players[index];
      update();
    },
  );
  const save = saveButton(() => done(player.value(), name.value));
  return shell(gettext("Rename a player"), [player.element, h("label", {}, gettext("Name"), name)], save);
}

export function confirmHandOver(run) {
  const go = h(
    "button",
    { type: "button", class: "button primary", "data-save": true, onclick: run },
    gettext("Hand over"),
  );
  return shell(
    gettext("Hand the match over?"),
    h(
      "p",
      {},
      gettext(
        "You get a link for the new owner. From then on only they can rename players or delete the match.",
      ),
    ),
    go,
  );
}

export function confirmRemoval(run) {
  const remove = h(
    "button",
    { type: "button", class: "button danger", "data-save": true, onclick: run },
    gettext("Delete for good"),
  );
  return shell(
    gettext("Delete this match?"),
    h("p", {}, gettext("Everything entered in it is lost, for everybody. This cannot be undone.")),
    remove,
  );
}
