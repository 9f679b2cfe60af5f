import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { amend, redo, startHistory, step, undo } from "../../webapp/static/js/history.js";

test("undo and redo walk along the steps", () => {
  const third = step(step(startHistory("a"), "b"), "c");
  assert.equal(undo(third).now, "b");
  assert.equal(undo(undo(third)).now, "a");
  assert.equal(redo(undo(third)).now, "c");
  assert.deepEqual(redo(redo(undo(undo(third)))), third);
});

test("at either end nothing happens", () => {
  const first = startHistory("a");
  assert.equal(undo(first), first);
  assert.equal(redo(first), first);
});

test("a new step forgets what was undone", () => {
  const other = step(undo(step(startHistory("a"), "b")), "c");
  assert.deepEqual([other.past, other.now, other.ahead], [["a"], "c", []]);
});

test("an amendment is no step", () => {
  const amended = amend(step(startHistory("a"), "b"), "b2");
  assert.equal(amended.now, "b2");
  assert.equal(undo(amended).now, "a");
});

test("sixty steps are kept", () => {
  let history = startHistory(0);
  for (let number = 1; number <= 100; number += 1) history = step(history, number);
  assert.equal(history.past.length, 60);
  assert.equal(history.past[0], 40);
});

test("the key stays the same and differs from hand to hand", () => {
  const first = startHistory("a");
  assert.match(first.key, /^[0-9a-f]{20}$/);
  assert.equal(undo(step(first, "b")).key, first.key);
  assert.notEqual(startHistory("a").key, first.key);
  assert.equal(startHistory("a", "token").key, "token");
});
