// Frames go to the server one after the other, with the evidence of those before.

import "./browser.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { frameSize, Looker } from "../../webapp/static/js/live/looker.js";

const frame = new Blob(["jpeg"]);

// A looker whose server gives these answers; what it was sent, and what it showed and missed.
function looking(answers, { start = true } = {}) {
  const told = { sent: [], shown: [], missed: 0 };
  let done;
  const over = new Promise((resolve) => {
    done = resolve;
  });
  globalThis.fetch = async (path, { body }) => {
    told.sent.push({ path, ...Object.fromEntries([...body].filter(([name]) => name !== "photo")) });
    const answer = answers[told.sent.length - 1];
    if (told.sent.length === answers.length) {
      looker.stop();
      setTimeout(done, 0);
    }
    return { ok: !answer.error, json: async () => answer };
  };
  const looker = new Looker({
    picture: async () => frame,
    conditions: { profile: "guobiao", tileset: "" },
    mark: () => told.sent.length,
    show: (seen, marked) => told.shown.push([seen.evidence, marked]),
    miss: () => {
      told.missed += 1;
    },
  });
  if (start) looker.start();
  return { told, over, looker };
}

const answer = (number, evidence) => ({ frame: number, next_ms: 0, seen: { evidence } });

test("each frame goes with its number and the evidence so far", async () => {
  const { told, over } = looking([answer(1, "one"), answer(2, "two"), answer(3, "three")]);
  await over;
  assert.deepEqual(told.sent, [
    { path: "/api/v1/look", profile: "guobiao", frame: "1" },
    { path: "/api/v1/look", profile: "guobiao", frame: "2", evidence: "one" },
    { path: "/api/v1/look", profile: "guobiao", frame: "3", evidence: "two" },
  ]);
  assert.deepEqual(told.shown.slice(0, 2), [
    ["one", 0],
    ["two", 1],
  ]);
});

test("a busy server leaves the evidence as it is", async () => {
  const { told, over } = looking([answer(1, "one"), { frame: 2, next_ms: 0, seen: null }, answer(3, "x")]);
  await over;
  assert.equal(told.missed, 1);
  assert.equal(told.sent[2].evidence, "one");
});

test("an answer that is out of order is dropped", () => {
  const { told, looker } = looking([], { start: false });
  looker.take(answer(5, "five"), 0);
  looker.take(answer(4, "four"), 0);
  looker.take(answer(5, "again"), 0);
  assert.deepEqual(told.shown, [["five", 0]]);
  assert.equal(looker.evidence, "five");
});

test("after a failure the frames begin anew, without what may have been wrong", async () => {
  const { told, looker } = looking([], { start: false });
  looker.evidence = "spoilt";
  const refused = { error: { code: "bad_evidence", message: "no" } };
  globalThis.fetch = async () => ({ ok: false, json: async () => refused });
  await looker.look();
  looker.stop();
  assert.equal(looker.evidence, "");
  assert.deepEqual(looker.conditions, {});
  assert.equal(told.missed, 1);
});

test("a frame has at most a megapixel, and keeps its shape", () => {
  for (const [width, height] of [
    [3840, 2160],
    [4032, 3024],
    [720, 1280],
    [640, 480],
  ]) {
    const [w, h] = frameSize(width, height);
    assert.ok(w * h <= 1_000_000);
    assert.ok(Math.abs(w / h - width / height) < 0.01);
  }
  assert.deepEqual(frameSize(640, 480), [640, 480]);
});
