import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { listenToKeys } from "../../webapp/static/js/keys.js";
import { listeners } from "./browser.js";

let done = [];
let selected = null;
const note =
  (name) =>
  (...values) =>
    done.push([name, ...values]);

listenToKeys({
  undo: note("undo"),
  redo: note("redo"),
  closeSheet: note("close"),
  addFace: (face) => done.push(["add", face]),
  replace: note("replace"),
  remove: note("remove"),
  selected: () => selected,
});

function press(key, more = {}) {
  const event = {
    key,
    target: { closest: () => more.field ?? null },
    timeStamp: more.at ?? 0,
    prevented: false,
    preventDefault() {
      this.prevented = true;
    },
    ...more,
  };
  listeners.get("keydown")(event);
  return event.prevented;
}

beforeEach(() => {
  press("m", { at: 1e9 }); // what earlier tests typed is stale by then
  done = [];
  selected = null;
});

test("digits and a suit letter add tiles", () => {
  for (const key of "123m55z") press(key);
  assert.deepEqual(
    done.map(([, face]) => face),
    ["1m", "2m", "3m", "5z", "5z"],
  );
});

test("a letter that makes no face adds nothing", () => {
  press("8");
  assert.equal(press("z"), false);
  assert.equal(press("x"), false);
  assert.deepEqual(done, []);
});

test("old digits are forgotten", () => {
  press("1", { at: 1000 });
  press("2", { at: 3500 });
  press("m", { at: 3600 });
  assert.deepEqual(done, [["add", "2m"]]);
});

test("one face replaces the selected tile, several are added", () => {
  selected = 7;
  for (const key of "3m") press(key);
  assert.deepEqual(done, [["replace", 7, "3m"]]);
  done = [];
  for (const key of "34m") press(key);
  assert.deepEqual(done, [
    ["add", "3m"],
    ["add", "4m"],
  ]);
});

test("undo and redo", () => {
  press("z", { ctrlKey: true });
  press("Z", { metaKey: true, shiftKey: true });
  press("y", { ctrlKey: true });
  assert.deepEqual(done, [["undo"], ["redo"], ["redo"]]);
});

test("other commands stay the browser's", () => {
  assert.equal(press("r", { ctrlKey: true }), false);
  assert.equal(press("1", { altKey: true }), false);
  assert.deepEqual(done, []);
});

test("delete removes the selected tile, and nothing without one", () => {
  assert.equal(press("Delete"), false);
  selected = 3;
  assert.equal(press("Backspace"), true);
  assert.deepEqual(done, [["remove", 3]]);
});

test("escape closes the sheet", () => {
  assert.equal(press("Escape"), true);
  assert.deepEqual(done, [["close"]]);
});

test("what is typed into a field is not for the hand", () => {
  assert.equal(press("1", { field: {} }), false);
  assert.equal(press("Escape", { field: {} }), false);
  assert.deepEqual(done, []);
});
