// The live camera: it outlines and names the tiles, says what is missing, shows the total, and takes the photo by itself
// once the hand is read and the phone at rest. The server reads the frames; while it does not, hints about light,
// distance and tilt go on alone. Browsers allow a live camera over HTTPS or on localhost only.

import { gettext, h } from "./dom.js";
import { Follower } from "./live/follower.js";
import { frameSize, Looker } from "./live/looker.js";
import { after, inverse } from "./live/motion.js";
import { Outlines } from "./live/outlines.js";
import { Sight } from "./live/sight.js";
import { scoredBy, setTakesAlone, takesAlone } from "./memory.js";
import { totalText } from "./words.js";

const REST_MS = 500; // how long nothing may move before the photo is taken
const FRESH_MS = 2500; // how long what the server said is shown when it says no more
const SPOKEN_MS = 3000; // screen readers hear at most so often what is new
const TELL_MS = 400;
const FRAME_QUALITY = 0.8;
const PHOTO_QUALITY = 0.92;

export function available() {
  return Boolean(window.isSecureContext && navigator.mediaDevices?.getUserMedia);
}

function picture(video, [width, height], quality) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  canvas.getContext("2d").drawImage(video, 0, 0, width, height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

class LiveCamera {
  constructor(stream, ontaken) {
    this.stream = stream;
    this.ontaken = ontaken;
    this.back = document.activeElement;
    const label = gettext("Live camera");
    this.video = h("video", { playsinline: true, muted: true, autoplay: true, "aria-label": label });
    this.video.muted = true;
    this.video.srcObject = stream;
    this.outlines = new Outlines();
    this.follower = new Follower();
    this.sight = new Sight(this.video);
    this.seen = null;
    this.seenAt = Number.NEGATIVE_INFINITY;
    this.markedAt = this.follower.total;
    this.spokenAt = Number.NEGATIVE_INFINITY;
    this.closed = false;
    this.build();
    this.looker = new Looker({
      picture: () => this.frame(),
      conditions: scoredBy(),
      mark: () => this.mark(),
      show: (seen, marked) => this.show(seen, marked),
      miss: () => this.tell(),
    });
  }

  build() {
    const button = (attributes, ...children) => h("button", { type: "button", ...attributes }, ...children);
    this.total = h("p", { class: "live-total", hidden: true });
    this.hint = h("p", { class: "aim" }, gettext("Fit the whole hand into the frame"));
    this.spoken = h("p", { class: "unseen", role: "status" });
    this.shutter = button({
      class: "shutter",
      "aria-label": gettext("Take the photo"),
      onclick: () => this.take(),
    });
    this.alone = button(
      { class: "button small", "aria-pressed": String(takesAlone()), onclick: () => this.switchAlone() },
      gettext("Automatic"),
    );
    this.torch = button(
      { class: "button small", "aria-pressed": "false", onclick: () => this.switchTorch(), hidden: true },
      gettext("Light"),
    );
    const [track] = this.stream.getVideoTracks();
    this.torch.hidden = !track.getCapabilities?.().torch;
    this.element = h(
      "div",
      {
        class: "live",
        id: "live",
        role: "dialog",
        "aria-modal": "true",
        "aria-label": gettext("Live camera"),
        onkeydown: (event) => event.key === "Escape" && this.close(),
      },
      this.video,
      h("div", { class: "frame", "aria-hidden": "true" }),
      this.outlines.element,
      h("div", { class: "says", "aria-hidden": "true" }, this.total, this.hint),
      this.spoken,
      h(
        "div",
        { class: "controls" },
        button({ class: "button small", onclick: () => this.close() }, gettext("Cancel")),
        this.shutter,
        h("div", { class: "switches" }, this.alone, this.torch),
      ),
    );
  }

  async open() {
    document.body.append(this.element);
    await this.video.play();
    this.shutter.focus();
    this.step();
    this.looker.start();
    this.telling = setInterval(() => this.tell(), TELL_MS);
  }

  close() {
    this.closed = true;
    this.looker.stop();
    this.sight.stop();
    clearInterval(this.telling);
    for (const track of this.stream.getTracks()) track.stop();
    this.video.srcObject = null;
    this.element.remove();
    if (this.back) this.back.focus();
  }

  // The camera's motion up to the very frame that is sent now.
  mark() {
    if (this.video.videoWidth) this.follower.see(this.video, performance.now());
    return this.follower.total;
  }

  frame() {
    const { videoWidth, videoHeight } = this.video;
    return videoWidth ? picture(this.video, frameSize(videoWidth, videoHeight), FRAME_QUALITY) : null;
  }

  // Each new frame of the video: the outlines move with the camera, and a camera at rest takes the photo.
  step() {
    if (this.closed) return;
    const now = performance.now();
    if (this.video.videoWidth) {
      this.follower.see(this.video, now);
      this.outlines.follow(after(inverse(this.markedAt), this.follower.total), this.follower.canvas.width);
      if (this.isSettled(now) && takesAlone() && this.follower.restedFor(now) >= REST_MS) this.take();
    }
    const again = () => this.step();
    if (this.video.requestVideoFrameCallback) this.video.requestVideoFrameCallback(again);
    else requestAnimationFrame(again);
  }

  isFresh(now) {
    return this.seen !== null && now - this.seenAt < FRESH_MS;
  }

  isSettled(now) {
    return this.isFresh(now) && this.seen.settled;
  }

  // What the server saw in the frame that was taken when the camera's motion was `marked`.
  show(seen, marked) {
    [this.seen, this.seenAt, this.markedAt] = [seen, performance.now(), marked];
    this.outlines.draw(seen);
    this.tell();
  }

  // Shows the total and the hint; says them to screen readers now and then.
  tell() {
    const now = performance.now();
    const fresh = this.isFresh(now);
    if (this.seen && !fresh) {
      this.outlines.clear();
      this.seen = null;
    }
    const settled = this.isSettled(now);
    const aim = gettext("Fit the whole hand into the frame");
    const empty = fresh && this.seen.hint?.code === "no_tiles";
    const advice = settled ? this.seen.verdict.short : this.seen?.hint?.text;
    const text = fresh && !(empty && this.sight.text) ? advice || "" : this.sight.text || aim;
    if (this.hint.textContent !== text) this.hint.textContent = text;
    this.hint.classList.toggle("quiet", text === "");
    this.element.classList.toggle("aiming", !fresh || empty);
    const total = settled ? totalText(this.seen) : "";
    if (this.total.textContent !== total) this.total.textContent = total;
    this.total.hidden = total === "";
    this.speak(total || text, now);
  }

  speak(text, now) {
    if (now - this.spokenAt < SPOKEN_MS || this.spoken.textContent === text) return;
    this.spoken.textContent = text;
    this.spokenAt = now;
  }

  switchAlone() {
    setTakesAlone(!takesAlone());
    this.alone.setAttribute("aria-pressed", String(takesAlone()));
  }

  async switchTorch() {
    const on = this.torch.getAttribute("aria-pressed") !== "true";
    const [track] = this.stream.getVideoTracks();
    await track.applyConstraints({ advanced: [{ torch: on }] });
    this.torch.setAttribute("aria-pressed", String(on));
  }

  async take() {
    if (this.closed || this.taking) return;
    this.taking = true;
    const { videoWidth, videoHeight } = this.video;
    const photo = await picture(this.video, [videoWidth, videoHeight], PHOTO_QUALITY);
    const { evidence } = this.looker;
    this.close();
    if (photo) this.ontaken(new File([photo], "camera.jpg", { type: "image/jpeg" }), evidence);
  }
}

// Opens the camera over the page; `ontaken` gets the photo, and the evidence of the frames before it. Rejects when the
// person or the device refuses.
export async function openCamera(ontaken) {
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: "environment", width: { ideal: 3840 }, height: { ideal: 2160 } },
  });
  await new LiveCamera(stream, ontaken).open();
}

// Whether a link asked this page to open the camera at once (#camera); asked only once, so that going back does not.
export function wantsCamera() {
  if (location.hash !== "#camera") return false;
  history.replaceState(null, "", location.pathname + location.search);
  return available();
}

// Why there is no live camera here and what to do, or "" if there is one.
export function whyNot() {
  if (available()) return "";
  if (!window.isSecureContext) {
    return gettext(
      "Browsers allow the live camera only over HTTPS. Start Fanlens with “fanlens serve --https” and open its https address.",
    );
  }
  return gettext("This browser has no live camera. Take or choose a photo instead.");
}
