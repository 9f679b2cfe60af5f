// The live camera with a frame to aim by and a word about the light; only where the browser allows it (HTTPS or
// localhost), beside the camera button that works everywhere.

import { gettext, h } from "./dom.js";

const LOOK_EVERY_MS = 400;
const LOOK_WIDTH_PX = 96;
const DARK = 55; // mean brightness, 0 to 255, below which faces drown in noise
const WHITE = 250; // brightness that only a reflection has
const GLARE = 0.04; // part of the picture that may be that white
const CONTRAST = 14; // mean difference of neighbours below which there are no tiles in focus

export function available() {
  return Boolean(window.isSecureContext && navigator.mediaDevices && navigator.mediaDevices.getUserMedia);
}

// What is wrong with a picture, given its grey values row by row; "" if nothing is.
export function complaint(grey, width) {
  let [sum, white, edges] = [0, 0, 0];
  grey.forEach((value, place) => {
    sum += value;
    if (value >= WHITE) white += 1;
    if (place % width) edges += Math.abs(value - grey[place - 1]);
  });
  if (sum / grey.length < DARK) return gettext("Too dark: more light, please");
  if (white / grey.length > GLARE) return gettext("Glare: tilt the phone a little");
  if (edges / grey.length < CONTRAST / 2) return gettext("Too far or blurred: come closer");
  return "";
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

// Opens the camera over the page; `ontaken` gets the photo. Rejects when the person or the device refuses.
export async function openCamera(ontaken) {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } },
  });
  const video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": gettext("Live camera") });
  const hint = h("p", { class: "aim", role: "status" }, gettext("Fit the whole hand into the frame"));
  const canvas = document.createElement("canvas");
  video.muted = true;
  video.srcObject = stream;
  const watching = setInterval(() => {
    if (!video.videoWidth) return;
    const text = look(video, canvas) || gettext("Fit the whole hand into the frame");
    if (hint.textContent !== text) hint.textContent = text;
  }, LOOK_EVERY_MS);
  const back = document.activeElement;
  const close = () => {
    clearInterval(watching);
    for (const track of stream.getTracks()) track.stop();
    overlay.remove();
    if (back) back.focus();
  };
  const shutter = h("button", {
    type: "button",
    class: "shutter",
    "aria-label": gettext("Take the photo"),
    onclick: async () => {
      const photo = await still(video);
      close();
      if (photo) ontaken(new File([photo], "camera.jpg", { type: "image/jpeg" }));
    },
  });
  const overlay = h(
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
    h("div", { class: "controls" }, h("button", { type: "button", class: "button", onclick: close }, gettext("Cancel")), shutter),
  );
  document.body.append(overlay);
  await video.play();
  shutter.focus();
}
