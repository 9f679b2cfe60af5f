// How the hand was won: the choices and toggles that the server offers (webapp/controls.py).

import { h } from "./dom.js";
import { playerName } from "./words.js";

function choice({ name, legend, seats, options }, set) {
  const button = (option) =>
    h(
      "button",
      {
        type: "button",
        "data-key": `${name}-${option.value}`,
        "data-condition": name,
        "data-value": String(option.value),
        "aria-pressed": String(option.on),
        onclick: () => set(option.set),
      },
      option.label,
      seats && playerName(option.value) && h("small", {}, playerName(option.value)),
    );
  return h(
    "fieldset",
    { class: `segments ${name}` },
    h("legend", {}, legend),
    h("div", { class: "segment-row" }, options.map(button)),
  );
}

function toggle(one, set) {
  return h(
    "button",
    {
      type: "button",
      class: "toggle",
      "data-key": one.name,
      "data-condition": one.name,
      "aria-pressed": String(one.on),
      onclick: () => set(one.set),
    },
    h("span", {}, one.label),
    h("small", {}, one.note),
  );
}

// `set` gets the conditions that a tap changes.
export function drawControls(section, { choices, toggles }, set) {
  section.replaceChildren(
    ...choices.map((one) => choice(one, set)),
    h(
      "div",
      { class: "toggles" },
      toggles.map((one) => toggle(one, set)),
    ),
  );
}

// Scrolls to the first value of a condition and focuses it.
export function pointTo(name) {
  const first = document.querySelector(`[data-condition="${name}"]`);
  first?.scrollIntoView({ block: "center" });
  first?.focus();
}
