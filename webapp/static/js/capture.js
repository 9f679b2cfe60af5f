// The start page: sends a photo from the camera, the gallery, a drop or a paste, and shows its progress.

import { ApiError, call, upload } from "./api.js";
import { available, openCamera, wantsCamera, whyNot } from "./camera.js";
import { fanName, gettext, h, language, ngettext } from "./dom.js";
import { setTileset, tileset, unfinished } from "./memory.js";
import { shrunk } from "./shrink.js";

const progress = document.getElementById("progress");
const bar = document.getElementById("bar");
const stage = document.getElementById("stage");
const error = document.getElementById("error");
const drop = document.getElementById("drop");
const clock = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "short" });
let running = null;

function fail(problem) {
  progress.hidden = true;
  document.body.classList.remove("busy");
  error.textContent = problem.message;
  error.dataset.code = problem.code;
  error.hidden = false;
}

async function send(file, evidence = "") {
  if (running) running.cancel();
  error.hidden = true;
  progress.hidden = false;
  document.body.classList.add("busy");
  bar.removeAttribute("value");
  stage.textContent = gettext("Preparing the photo…");
  const photo = await shrunk(file);
  if (photo.size > Number(drop.dataset.maxBytes)) {
    fail({ code: "too_large", message: drop.dataset.tooLarge });
    return;
  }
  stage.textContent = gettext("Sending the photo…");
  const report = (part) => {
    bar.value = part;
    stage.textContent = gettext("Sending the photo: %(percent)s %", { percent: Math.floor(part * 100) });
    if (part === 1) {
      bar.removeAttribute("value");
      stage.textContent = gettext("Reading the tiles…");
    }
  };
  const attempt = upload(photo, file.name || "photo", tileset(), report, evidence);
  running = attempt;
  try {
    const answer = await attempt.finished;
    location.assign(answer.page);
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    if (running !== attempt) return;
    // The tile set may have been forgotten in another window: the next photo is read without it.
    if (problem.code === "unknown_tileset") setTileset("");
    nameTileset();
    fail(problem);
  }
}

function take(files) {
  const file = [...(files || [])].find((one) => one.size !== undefined);
  if (file) send(file);
}

for (const id of ["camera", "gallery"]) {
  const input = document.getElementById(id);
  input.addEventListener("change", () => {
    take(input.files);
    // The same photo may be chosen again after an error.
    input.value = "";
  });
}

const live = document.getElementById("live-camera");
live.hidden = !available();
if (!available()) live.after(h("p", { class: "hint", id: "no-live" }, whyNot()));
live.addEventListener("click", openLive);
if (wantsCamera()) openLive();

async function openLive() {
  error.hidden = true;
  try {
    await openCamera(send);
  } catch (problem) {
    if (!(problem instanceof DOMException)) throw problem;
    // The person refused, or another application has the camera. The other two buttons still work.
    fail({
      code: problem.name,
      message: gettext("The camera cannot be used here. Take or choose a photo instead."),
    });
  }
}

const sample = document.getElementById("sample");
sample.addEventListener("click", async () => {
  let answer = null;
  try {
    answer = await fetch(sample.dataset.photo);
  } catch {
    // Without a network there is no answer.
  }
  if (answer?.ok) send(new File([await answer.blob()], "sample.jpg", { type: "image/jpeg" }));
  else
    fail({
      code: "offline",
      message: gettext("Fanlens cannot be reached. Check the network; nothing is lost."),
    });
});

document.getElementById("cancel").addEventListener("click", () => {
  if (running) running.cancel();
});

document.addEventListener("paste", (event) => take(event.clipboardData.files));

for (const kind of ["dragenter", "dragover"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) drop.classList.remove("over");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.classList.remove("over");
  take(event.dataTransfer.files);
});

// The latest hands are fetched: the page itself holds no hand, so browsers may keep it.
async function showRecent() {
  let hands;
  try {
    ({ hands } = await call("GET", "/hands?limit=3"));
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    return;
  }
  const row = ({ id, score, confirmed_at: at }) => {
    const others = score.awards.length - 1;
    const more = ngettext("and %(number)s more", "and %(number)s more", others);
    const text = others ? `${fanName(score.awards[0])} ${more}` : fanName(score.awards[0]);
    return h(
      "li",
      {},
      h(
        "a",
        { href: `/hands#hand-${id}` },
        h("b", { class: "points" }, String(score.total)),
        " ",
        h("span", { class: "fan-names" }, text),
        h("time", { datetime: at }, clock.format(new Date(at))),
      ),
    );
  };
  const section = document.getElementById("recent");
  section.querySelector("ul").replaceChildren(...hands.map(row));
  section.hidden = hands.length === 0;
}

// The hand that was not confirmed yet, which this browser keeps.
function showUnfinished() {
  const kept = unfinished();
  const link = document.getElementById("unfinished");
  link.hidden = !kept;
  if (!kept) return;
  const number = kept.history.now.tiles.filter((tile) => tile.role !== "stray").length;
  link.href = `${kept.address}?continue`;
  link.textContent = ngettext(
    "Continue the unfinished hand: %(number)s tile",
    "Continue the unfinished hand: %(number)s tiles",
    number,
  );
}

function nameTileset() {
  const named = document.getElementById("tileset");
  named.textContent = tileset() || named.dataset.none;
}

nameTileset();
showUnfinished();
showRecent();

// Going back from the confirmation page must not show an old progress bar.
window.addEventListener("pageshow", () => {
  progress.hidden = true;
  document.body.classList.remove("busy");
  showUnfinished();
});
