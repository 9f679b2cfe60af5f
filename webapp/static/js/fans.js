// Search in the catalogue of fans: names in both languages, or points.

import { ngettext } from "./dom.js";

const search = document.getElementById("search");
const fans = [...document.querySelectorAll("details.fan")];

function show() {
  const words = search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  for (const fan of fans) {
    const tokens = fan.dataset.words;
    fan.hidden = !words.every((word) => (/^\d+$/.test(word) ? tokens.endsWith(` ${word}`) : tokens.includes(word)));
  }
  for (const group of document.querySelectorAll(".points-group")) {
    group.hidden = !group.querySelector("details.fan:not([hidden])");
  }
  const found = fans.filter((fan) => !fan.hidden).length;
  document.getElementById("found").textContent = words.length ? ngettext("%(number)s fan", "%(number)s fans", found) : "";
}

search.addEventListener("input", show);
document.getElementById("search-form").addEventListener("submit", (event) => event.preventDefault());
show();

const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
if (wanted) wanted.open = true;
