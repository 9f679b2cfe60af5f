import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./browser.js";
import { ApiError, call, picture } from "../../webapp/static/js/api.js";
import { assess } from "../../webapp/static/js/assess.js";
import { EMPTY } from "./drafts.js";

let sent = [];
let answer = null;

beforeEach(() => {
  sent = [];
  globalThis.fetch = async (path, options) => {
    sent.push([path, options]);
    if (answer instanceof Error) throw answer;
    return answer;
  };
});

const json = (body, status = 200) => new Response(JSON.stringify(body), { status });
const refusal = (code, message, status = 422) => json({ error: { code, message } }, status);
const failure = (code, message) => (error) =>
  error instanceof ApiError && error.code === code && (!message || error.message === message);

test("a call sends JSON and gives back JSON", async () => {
  answer = json({ total: 21 });
  assert.deepEqual(await call("POST", "/score", { concealed: [] }), { total: 21 });
  const [[path, options]] = sent;
  assert.equal(path, "/api/v1/score");
  assert.deepEqual([options.method, options.body], ["POST", '{"concealed":[]}']);
  assert.deepEqual(options.headers, { "Content-Type": "application/json" });
});

test("a call without a body says so", async () => {
  answer = json([]);
  await call("GET", "/hands");
  assert.deepEqual([sent[0][1].headers, sent[0][1].body], [{}, undefined]);
});

test("a refusal carries the server's own code and words", async () => {
  answer = refusal("not_winning", "Not yet.");
  await assert.rejects(call("POST", "/score", {}), failure("not_winning", "Not yet."));
});

test("no network and no JSON have codes of their own", async () => {
  answer = new TypeError("failed to fetch");
  await assert.rejects(call("GET", "/hands"), failure("offline"));
  answer = new Response("<html>", { status: 502 });
  await assert.rejects(call("GET", "/hands"), failure("unreadable_answer"));
});

test("a call that was given up is no failure of the server", async () => {
  answer = Object.assign(new Error("aborted"), { name: "AbortError" });
  await assert.rejects(call("GET", "/hands"), { name: "AbortError" });
});

test("a picture is a blob, or a refusal in words", async () => {
  answer = new Response("png", { status: 200 });
  assert.equal(await (await picture({})).text(), "png");
  answer = refusal("wrong_tile_count", "The number of tiles is wrong.");
  await assert.rejects(picture({}), failure("wrong_tile_count", "The number of tiles is wrong."));
  answer = new Response("", { status: 500 });
  await assert.rejects(picture({}), failure("unreadable_answer"));
  answer = new TypeError("failed to fetch");
  await assert.rejects(picture({}), failure("offline"));
});

const LAST = {
  score: { total: 21 },
  payments: {},
  controls: { choices: [], toggles: [] },
  draft: { key: "k", checks: [{}], lit: [[1]], ready: true, ask: {}, sure: true, actions: { 1: [] } },
};

test("a draft is assessed", async () => {
  answer = json({ score: null });
  assert.deepEqual(await assess(EMPTY, LAST), { score: null });
  assert.deepEqual(JSON.parse(sent[0][1].body).draft, { tiles: [], hidden: [], added: null });
});

test("without an answer there is no score, and nothing can be confirmed, but the choices stay", async () => {
  answer = new TypeError("failed to fetch");
  const now = await assess(EMPTY, LAST);
  assert.deepEqual([now.score, now.payments, now.problem.code], [null, null, "offline"]);
  const { key, checks, lit, ready, ask, sure, actions, status } = now.draft;
  assert.deepEqual([key, checks, lit, ready, ask, sure], [null, [], [], false, null, false]);
  assert.deepEqual([actions, status], [LAST.draft.actions, now.problem.message]);
  assert.equal(now.controls, LAST.controls);
});

test("a question that a newer one replaced has no answer", async () => {
  globalThis.fetch = (_, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener("abort", () =>
        reject(Object.assign(new Error("aborted"), { name: "AbortError" })),
      );
      setImmediate(() => resolve(json({ score: null })));
    });
  const [first, second] = [assess(EMPTY, LAST), assess(EMPTY, LAST)];
  assert.equal(await first, null);
  assert.deepEqual(await second, { score: null });
});
