// What a camera can tell by itself: whether its picture is too dark, blurred, too far away or full of glare, and whether
// the phone is tilted.

import { gettext } from "../dom.js";

const LOOK_EVERY_MS = 400;
const LOOK_WIDTH_PX = 320;
const DARK = 55; // mean brightness, 0 to 255, below which noise hides the faces
const WHITE = 250; // brightness that only a reflection has
const GLARE = 0.02; // share of the picture that may lie in cells which are all white: a white tile bears a face
const CELL_PX = 16;
const BUSY = 0.08; // share of the picture with edges, below which the tiles are too far away
const EDGE = 2.5; // mean difference of neighbours that makes a cell busy, or
const EDGE_OF_MOST = 0.35; // so much of what the busiest cells have
const SHARP = 0.2; // differences of neighbours to those of pixels STEP apart; a blurred picture changes slowly
const STEP = 8;
const TILTED = 50; // degrees off level beyond which the far tiles are much smaller than the near ones

// What is wrong with a picture, given its grey values row by row, or "".
export function complaint(grey, width) {
  let [sum, near, apart] = [0, 0, 0];
  grey.forEach((value, place) => {
    sum += value;
    if (place % width >= 1) near += Math.abs(value - grey[place - 1]);
    if (place % width >= STEP) apart += Math.abs(value - grey[place - STEP]);
  });
  if (sum / grey.length < DARK) return gettext("Too dark: add some light");
  if (whitePart(grey, width) > GLARE) return gettext("Glare: tilt the phone a little");
  if (busyPart(grey, width) < BUSY) return gettext("Too far: move closer");
  if (near < SHARP * apart) return gettext("Blurred: hold the phone still");
  return "";
}

// The share of the picture's cells that are white all over.
function whitePart(grey, width) {
  const [across, down] = [Math.floor(width / CELL_PX), Math.floor(grey.length / width / CELL_PX)];
  let white = 0;
  for (let cell = 0; cell < across * down; cell += 1) {
    const corner = Math.floor(cell / across) * CELL_PX * width + (cell % across) * CELL_PX;
    let all = true;
    for (let place = 0; all && place < CELL_PX ** 2; place += 1) {
      all = grey[corner + Math.floor(place / CELL_PX) * width + (place % CELL_PX)] >= WHITE;
    }
    if (all) white += 1;
  }
  return white / Math.max(1, across * down);
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

// What the camera says without the server: what is wrong with the picture, or how the phone is held.
export class Sight {
  constructor(video) {
    this.video = video;
    this.canvas = document.createElement("canvas");
    this.text = "";
    this.degrees = 0;
    // Some phones tell how they are held without asking for permission.
    this.feel = (event) => {
      this.degrees = tilt(event);
    };
    window.addEventListener("deviceorientation", this.feel);
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  look() {
    if (!this.video.videoWidth) return;
    const tilted = this.degrees > TILTED ? gettext("Tilted: hold the phone level above the tiles") : "";
    this.text = look(this.video, this.canvas) || tilted;
  }

  stop() {
    clearInterval(this.timer);
    window.removeEventListener("deviceorientation", this.feel);
  }
}
