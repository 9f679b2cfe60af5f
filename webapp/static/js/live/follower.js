// Follows the camera's motion from one frame of the video to the next, so that outlines stay on their tiles while the
// server reads, and so that a camera at rest is noticed.

import { after, grey, motionBetween, reach, STILL } from "./motion.js";

const WIDTH_PX = 96;
const AT_REST = 0.006; // share of the picture's width that a camera at rest may move in a frame
const DRIFT = 0.02; // and since it came to rest

export class Follower {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.context = this.canvas.getContext("2d", { willReadFrequently: true });
    this.last = null;
    this.total = STILL; // since the camera was opened
    this.rest = { since: null, drift: STILL };
  }

  // Looks at the frame that the video shows now.
  see(video, now) {
    const { canvas, context } = this;
    const height = Math.round((WIDTH_PX * video.videoHeight) / video.videoWidth);
    if (canvas.width !== WIDTH_PX || canvas.height !== height) {
      [canvas.width, canvas.height, this.last] = [WIDTH_PX, height, null];
    }
    context.drawImage(video, 0, 0, WIDTH_PX, height);
    this.take(grey(context.getImageData(0, 0, WIDTH_PX, height)), now);
  }

  take(picture, now) {
    const motion = this.last ? motionBetween(this.last, picture) : STILL;
    this.last = picture;
    this.total = after(this.total, motion);
    const { width, height } = picture;
    const drift = after(this.rest.drift, motion);
    const still =
      this.rest.since !== null &&
      reach(motion, width, height) < AT_REST &&
      reach(drift, width, height) < DRIFT;
    this.rest = still ? { since: this.rest.since, drift } : { since: now, drift: STILL };
  }

  // How long the camera has been at rest, in milliseconds.
  restedFor(now) {
    return this.rest.since === null ? 0 : now - this.rest.since;
  }
}
