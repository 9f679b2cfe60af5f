import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import "./browser.js";
import { step } from "../../webapp/static/js/history.js";
import * as memory from "../../webapp/static/js/memory.js";
import { draft, EMPTY } from "./drafts.js";

const option = (value) => ({ value });
const choices = [
  { name: "prevalent_wind", options: ["E", "S", "W", "N"].map(option) },
  { name: "profile", options: ["guobiao", "club"].map(option) },
];
const start = { draft: EMPTY, answer: { controls: { choices } } };

beforeEach(() => {
  sessionStorage.kept.clear();
  localStorage.kept.clear();
  sessionStorage.room = Number.POSITIVE_INFINITY;
});

test("a new page begins with the draft of the server", () => {
  const history = memory.recall(start, "hand");
  assert.deepEqual([history.now, history.past], [EMPTY, []]);
  assert.notEqual(history.key, "hand");
});

test("the hand of a photo is confirmed under the token of the photo", () => {
  const photos = [{ photo: "/photos/token-of-photo.jpg", width: 1, height: 1 }];
  const history = memory.recall({ ...start, draft: draft({ photos }) }, "token-of-photo");
  assert.equal(history.key, "token-of-photo");
});

test("a reload finds the history as it was left", () => {
  const left = step(memory.recall(start, "hand"), draft({ concealed: "1m" }));
  memory.remember(left);
  assert.deepEqual(memory.recall(start, "hand"), left);
});

test("a full storage costs only the steps", () => {
  const left = step(step(memory.recall(start, "hand"), draft({ concealed: "123456789m" })), draft({}));
  sessionStorage.room = JSON.stringify(left).length - 1;
  memory.remember(left);
  const found = memory.recall(start, "hand");
  assert.deepEqual([found.now, found.past, found.key], [left.now, [], left.key]);
});

test("the next hand begins with the wind and the rules of the last one", () => {
  const conditions = { ...EMPTY.conditions, prevalent_wind: "S", profile: "club", seat_wind: "N" };
  const confirmed = draft({ concealed: "1m", conditions });
  memory.remember(step(memory.recall(start, "hand"), confirmed));
  memory.forget(confirmed);
  const { now } = memory.recall(start, "hand");
  assert.deepEqual(now.tiles, []);
  assert.deepEqual(now.conditions, { ...EMPTY.conditions, prevalent_wind: "S", profile: "club" });
});

test("rules that this server does not offer are not remembered", () => {
  localStorage.setItem("fanlens profile", "another club");
  localStorage.setItem("fanlens prevalent wind", "Q");
  assert.deepEqual(memory.recall(start, "hand").now.conditions, EMPTY.conditions);
});

test("names by seat", () => {
  assert.deepEqual(memory.players(), { E: "", S: "", W: "", N: "" });
  memory.setPlayers({ E: "Lin", S: 7 });
  assert.deepEqual(memory.players(), { E: "Lin", S: "", W: "", N: "" });
});

test("the tile set", () => {
  assert.equal(memory.tileset(), "");
  memory.setTileset("My tiles");
  assert.equal(memory.tileset(), "My tiles");
});
