// Makes elements, reads the JSON that the server put into the page, translates, and shows messages.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  for (const child of children.flat(3)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
  return element;
}

export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

export function readJson(id) {
  const block = document.getElementById(id);
  return block ? JSON.parse(block.textContent) : null;
}

const words = readJson("page-words") || { language: "en", messages: {}, tiles: {}, sprite: "" };

export const language = words.language;

function filled(text, values) {
  return values ? text.replace(/%\((\w+)\)s/g, (_, name) => String(values[name])) : text;
}

export function gettext(message, values) {
  const forms = words.messages[message];
  return filled(forms ? forms[0] : message, values);
}

export function ngettext(one, many, number) {
  const forms = words.messages[one];
  let text = number === 1 ? one : many;
  if (forms) text = number === 1 ? forms[0] : forms[forms.length - 1];
  return filled(text, { number });
}

// A fan's name in the language of the page, from an award or anything else with `fan` and `english`.
export function fanName(award) {
  return language.startsWith("zh") ? words.fans[award.fan] || award.fan : award.english;
}

export function tileName(face) {
  return words.tiles[face] || face;
}

export function tileArt(face) {
  return svg(
    "svg",
    { viewBox: "0 0 600 800", "aria-hidden": "true", focusable: "false" },
    svg("use", { href: `${words.sprite}#${face}` }),
  );
}

function show(toast, ms) {
  toast.hidden = false;
  clearTimeout(show.timer);
  show.timer = setTimeout(() => {
    // A message whose button has the keyboard focus stays.
    if (ms && toast.querySelector(":focus-visible")) show(toast, ms);
    else toast.hidden = true;
  }, ms);
}

// Shows something that went wrong. Screen readers say it at once; it stays until it is closed or replaced.
export function complain(text) {
  const toast = document.getElementById("toast");
  const close = h("button", { type: "button", onclick: () => show(toast, 0) }, gettext("Close"));
  toast.replaceChildren(h("span", { role: "alert" }, text), close);
  toast.hidden = false;
  clearTimeout(show.timer);
}

// Hides the complaint, because the person has changed something since.
export function hush() {
  const toast = document.getElementById("toast");
  if (toast.querySelector("[role=alert]")) toast.hidden = true;
}

export function say(text, action) {
  const toast = document.getElementById("toast");
  toast.replaceChildren(h("span", {}, text));
  if (action) toast.append(h("button", { type: "button", onclick: action.run }, action.label));
  show(toast, action ? 10000 : 4000);
}
