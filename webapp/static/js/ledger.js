// The confirmed hands: removed ones can be restored, the dates stand between the hands, and after a confirmed hand
// the next one is one tap away.

import { ApiError, call } from "./api.js";
import { gettext, h, language, say } from "./dom.js";
import { nextEast, passTheDeal, takeConfirmed } from "./memory.js";

const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });
const calendar = new Intl.DateTimeFormat(language, { dateStyle: "full" });

// Each time in the reader's own zone, with the date above the first hand of a day.
let day = "";
for (const time of document.querySelectorAll("time")) {
  const moment = new Date(time.dateTime);
  time.textContent = clock.format(moment);
  const row = time.closest("[data-hand]");
  if (row && calendar.format(moment) !== day) {
    day = calendar.format(moment);
    row.before(h("li", { class: "day" }, h("h2", {}, day)));
  }
}

function show(row, shown) {
  row.hidden = !shown;
  document.getElementById("none").hidden = document.querySelector("[data-hand]:not([hidden])") !== null;
  // A date without hands below it says nothing.
  let heading = null;
  for (const one of document.querySelectorAll("ol.ledger > li")) {
    if (one.matches(".day")) {
      heading = one;
      heading.hidden = true;
    } else if (!one.hidden && heading) heading.hidden = false;
  }
}

async function change(run) {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message);
  }
}

for (const button of document.querySelectorAll("[data-hand] .remove")) {
  const row = button.closest("[data-hand]");
  const path = `/hands/${row.dataset.hand}`;
  const restore = () =>
    change(async () => {
      await call("POST", `${path}/restore`);
      show(row, true);
      say(gettext("The hand was restored."));
      button.focus();
    });
  button.addEventListener("click", () =>
    change(async () => {
      await call("DELETE", path);
      show(row, false);
      say(gettext("The hand was removed."), { label: gettext("Undo"), run: restore });
      document.querySelector("#toast button").focus();
    }),
  );
}

for (const button of document.querySelectorAll("[data-hand] .restore")) {
  const row = button.closest("[data-hand]");
  button.addEventListener("click", () =>
    change(async () => {
      await call("POST", `/hands/${row.dataset.hand}/restore`);
      show(row, false);
      say(gettext("The hand was restored."));
      document.getElementById("main").focus();
    }),
  );
}

// What was just confirmed, and the way on. The deal passes by itself: everyone moves one seat on.
function showConfirmed({ id, text, next }) {
  const section = document.getElementById("confirmed");
  section.hidden = false;
  section.querySelector("[role=status]").textContent = text;
  const button = document.getElementById("next-hand");
  button.hidden = !next;
  if (!next) return;
  const east = nextEast(id);
  const hint = document.getElementById("next-deal");
  hint.hidden = east === "";
  hint.textContent = gettext("The deal passes on: %(name)s will be East.", { name: east });
  button.addEventListener("click", () => passTheDeal(id));
}

const confirmed = takeConfirmed();
if (confirmed) showConfirmed(confirmed);

const arrived = location.hash && document.querySelector(location.hash);
if (arrived) {
  arrived.classList.add("new");
  // The browser scrolls to the hand once the page is loaded; what was confirmed and the way on stand above it.
  if (confirmed?.next) window.addEventListener("load", () => setTimeout(() => window.scrollTo(0, 0), 0));
}
