// The ledger: a removed hand can be restored at once.

import { ApiError, call } from "./api.js";
import { gettext, language, say } from "./dom.js";

const clock = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time"))
  time.textContent = clock.format(new Date(time.dateTime));

function show(row, shown) {
  row.hidden = !shown;
  document.getElementById("none").hidden = document.querySelector("[data-hand]:not([hidden])") !== null;
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

const arrived = location.hash && document.querySelector(location.hash);
if (arrived) arrived.classList.add("new");
