// Sends frames to the server one after the other, each with the evidence of those before it. The server says when to
// send the next; an answer that comes out of order is dropped.

import { ApiError, lookAt } from "../api.js";

const MOST_PIXELS = 1_000_000;
const AGAIN_MS = 2000; // after a failure

// Width and height of the frame of a video that the server gets.
export function frameSize(width, height) {
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  return [Math.floor(width * scale), Math.floor(height * scale)];
}

export class Looker {
  // `picture` gives a frame as a Blob, or null if there is none yet; `conditions` are the fields that go with each.
  // `show` gets what the server has seen, and what `mark` gave when the frame was taken; `miss` is told that a frame
  // was not read.
  constructor({ picture, conditions, mark, show, miss }) {
    Object.assign(this, { picture, conditions, mark, show, miss });
    this.number = 0;
    this.shown = 0;
    this.evidence = "";
    this.stopping = new AbortController();
    this.timer = null;
  }

  start() {
    this.look();
  }

  stop() {
    this.stopping.abort();
    clearTimeout(this.timer);
  }

  later(milliseconds) {
    if (!this.stopping.signal.aborted) this.timer = setTimeout(() => this.look(), milliseconds);
  }

  async look() {
    const marked = this.mark();
    const frame = await this.picture();
    if (this.stopping.signal.aborted) return;
    if (!frame) {
      this.later(50);
      return;
    }
    this.number += 1;
    const fields = { ...this.conditions, frame: this.number, evidence: this.evidence };
    try {
      const answer = await lookAt(frame, fields, this.stopping.signal);
      this.take(answer, marked);
      this.later(answer.next_ms);
    } catch (problem) {
      if (this.stopping.signal.aborted) return;
      if (!(problem instanceof ApiError)) throw problem;
      // The frames go on from nothing: what was wrong may have been the evidence, or rules that are no longer there.
      this.evidence = "";
      this.conditions = {};
      this.miss();
      this.later(AGAIN_MS);
    }
  }

  take({ frame, seen }, marked) {
    if (!seen) {
      this.miss();
      return;
    }
    if (frame <= this.shown) return;
    this.shown = frame;
    this.evidence = seen.evidence;
    this.show(seen, marked);
  }
}
