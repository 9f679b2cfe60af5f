// The live camera with a frame to aim by and hints about light, distance and tilt. Browsers allow it over HTTPS or on
// localhost only; the camera button beside it works everywhere.

import { gettext, h } from "./dom.js";

const LOOK_EVERY_MS = 400;
const LOOK_WIDTH_PX = 320;
const DARK = 55; // mean brightness, 0 to 255, below which noise hides the faces
const WHITE = 250; // brightness that only a reflection has
const GLARE = 0.04; // share of the picture that may be that white
const CELL_PX = 16;
const BUSY = 0.08; // share of the picture with edges, below which the tiles are too far away
const EDGE = 2.5; // mean difference of neighbours that makes a cell busy, or
const EDGE_OF_MOST = 0.35; // so much of what the busiest cells have
const SHARP = 0.2; // differences of neighbours to those of pixels STEP apart; a blurred picture changes slowly
const STEP = 8;

const TILTED = 50; // degrees off level beyond which the far tiles are much smaller than the near ones

export function available() {
  return Boolean(window.isSecureContext && navigator.mediaDevices?.getUserMedia);
}

// What is wrong with a picture, given its grey values row by row, or "".
export function complaint(grey, width) {
  let [sum, white, near, apart] = [0, 0, 0, 0];
  grey.forEach((value, place) => {
    sum += value;
    if (value >= WHITE) white += 1;
    if (place % width >= 1) near += Math.abs(value - grey[place - 1]);
    if (place % width >= STEP) apart += Math.abs(value - grey[place - STEP]);
  });
  if (sum / grey.length < DARK) return gettext("Too dark: add some light");
  if (white / grey.length > GLARE) return gettext("Glare: tilt the phone a little");
  if (busyPart(grey, width) < BUSY) return gettext("Too far: move closer");
  if (near < SHARP * apart) return gettext("Blurred: hold the phone still");
  return "";
}

// The share of the picture's cells that have edges, as tiles have and bare tables have not.
function busyPart(grey, width) {
  const [across, down] = [Math.floor((width - 1) / CELL_PX), Math.floor(grey.length / width / CELL_PX)];
  const cells = new Array(across * down).fill(0);
  for (let y = 0; y < down * CELL_PX; y += 1) {
    for (let x = 0; x < across * CELL_PX; x += 1) {
      const place = y * width + x;
      cells[Math.floor(y / CELL_PX) * across + Math.floor(x / CELL_PX)] +=
        Math.abs(grey[place + 1] - grey[place]) / CELL_PX ** 2;
    }
  }
  const most = [...cells].sort((a, b) => a - b)[Math.floor(0.97 * (cells.length - 1))];
  const least = Math.max(EDGE, EDGE_OF_MOST * most);
  return cells.filter((edges) => edges > least).length / cells.length;
}

// How far from level the phone is, in degrees. `beta` is its tilt forwards, `gamma` sideways; a phone that lies flat
// has 0 for both.
export function tilt({ beta, gamma }) {
  const [forwards, sideways] = [Math.abs(beta || 0), Math.abs(gamma || 0)];
  return Math.max(Math.min(forwards, 180 - forwards), sideways);
}

function look(video, canvas) {
  canvas.width = LOOK_WIDTH_PX;
  canvas.height = Math.round((LOOK_WIDTH_PX * video.videoHeight) / video.videoWidth);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(video, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const grey = [];
  for (let place = 0; place < data.length; place += 4) {
    grey.push(0.3 * data[place] + 0.59 * data[place + 1] + 0.11 * data[place + 2]);
  }
  return complaint(grey, canvas.width);
}

async function still(video) {
  const canvas = document.createElement("canvas");
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.92));
}

// Says what is wrong with the picture in `hint`, again and again, until the function it returns is called.
function watch(video, hint) {
  const canvas = document.createElement("canvas");
  const aim = gettext("Fit the whole hand into the frame");
  // Some phones tell how they are held without asking for permission.
  let degrees = 0;
  const feel = (event) => {
    degrees = tilt(event);
  };
  window.addEventListener("deviceorientation", feel);
  const watching = setInterval(() => {
    if (!video.videoWidth) return;
    const tilted = degrees > TILTED ? gettext("Tilted: hold the phone level above the tiles") : "";
    const text = look(video, canvas) || tilted || aim;
    if (hint.textContent !== text) hint.textContent = text;
  }, LOOK_EVERY_MS);
  hint.textContent = aim;
  return () => {
    clearInterval(watching);
    window.removeEventListener("deviceorientation", feel);
  };
}

function overlayOf(video, hint, shutter, close) {
  const cancel = h("button", { type: "button", class: "button", onclick: close }, gettext("Cancel"));
  return h(
    "div",
    {
      class: "live",
      id: "live",
      role: "dialog",
      "aria-modal": "true",
      "aria-label": gettext("Live camera"),
      onkeydown: (event) => event.key === "Escape" && close(),
    },
    video,
    h("div", { class: "frame", "aria-hidden": "true" }),
    hint,
    h("div", { class: "controls" }, cancel, shutter),
  );
}

// Opens the camera over the page; `ontaken` gets the photo. Rejects when the person or the device refuses.
export async function openCamera(ontaken) {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } },
  });
  const label = gettext("Live camera");
  const video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": label });
  video.muted = true;
  video.srcObject = stream;
  const hint = h("p", { class: "aim", role: "status" });
  const stopWatching = watch(video, hint);
  const back = document.activeElement;
  const close = () => {
    stopWatching();
    for (const track of stream.getTracks()) track.stop();
    overlay.remove();
    if (back) back.focus();
  };
  const take = async () => {
    const photo = await still(video);
    close();
    if (photo) ontaken(new File([photo], "camera.jpg", { type: "image/jpeg" }));
  };
  const name = gettext("Take the photo");
  const shutter = h("button", { type: "button", class: "shutter", "aria-label": name, onclick: take });
  const overlay = overlayOf(video, hint, shutter, close);
  document.body.append(overlay);
  await video.play();
  shutter.focus();
}
