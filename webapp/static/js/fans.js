// Searches the list of fans by names in both languages, or by points.

import { h, ngettext, tileArt, tileName } from "./dom.js";

const search = document.getElementById("search");
const fans = [...document.querySelectorAll("details.fan")];

function show() {
  const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  for (const fan of fans) {
    const tokens = fan.dataset.words;
    fan.hidden = !words.every((word) =>
      /^\d+$/.test(word) ? tokens.endsWith(` ${word}`) : tokens.includes(word),
    );
  }
  for (const group of document.querySelectorAll(".points-group")) {
    group.hidden = !group.querySelector("details.fan:not([hidden])");
  }
  const found = fans.filter((fan) => !fan.hidden).length;
  document.getElementById("found").textContent = words.length
    ? ngettext("%(number)s fan", "%(number)s fans", found)
    : "";
}

// An example is drawn when its fan is opened, because a thousand tiles would make the page slow.
function drawExample(fan) {
  const place = fan.querySelector(".example");
  if (!fan.open || place.childElementCount) return;
  const { melds, concealed, winning } = JSON.parse(place.dataset.example);
  const group = (faces) =>
    h(
      "span",
      { class: "set", role: "img", "aria-label": faces.map(tileName).join(", ") },
      faces.map((face) => h("span", { class: "tile mini" }, tileArt(face))),
    );
  place.append(...[...melds, concealed, [winning]].filter((faces) => faces.length).map(group));
}

for (const fan of fans) fan.addEventListener("toggle", () => drawExample(fan));

search.addEventListener("input", show);
document.getElementById("search-form").addEventListener("submit", (event) => event.preventDefault());
show();

const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (wanted) wanted.open = true;
