import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import * as model from "../../webapp/static/js/model.js";
import { draft, EMPTY, faces, withTiles } from "./drafts.js";

const { act } = model;
const tileOf = (now, id) => model.tileOf(now, id);

test("there are 42 faces", () => {
  assert.equal(model.FACES.length, 42);
  assert.deepEqual(model.FACES.slice(25, 29), ["8s", "9s", "1z", "2z"]);
});

test("a tile is added in the order of faces and remembered as the last one", () => {
  const before = draft({ concealed: "19m5z" });
  const after = act(before, { name: "add", face: "3m" });
  assert.deepEqual(faces(after, "concealed"), ["1m", "3m", "9m", "5z"]);
  assert.equal(after.added, 3);
  assert.deepEqual(faces(before, "concealed"), ["1m", "9m", "5z"]);
  assert.deepEqual(faces(act(EMPTY, { name: "add", face: "3m" }), "concealed"), ["3m"]);
});

test("an added flower lies beside the hand", () => {
  const after = act(draft({ concealed: "1m" }), { name: "add", face: "4f" });
  assert.deepEqual([faces(after, "concealed"), faces(after, "flower")], [["1m"], ["4f"]]);
});

test("any other change forgets which tile was added last", () => {
  const added = act(draft({ concealed: "1m" }), { name: "add", face: "2m" });
  assert.equal(act(added, { name: "face", tile: 0, face: "9m" }).added, null);
});

test("a face is changed in place and is sure from then on", () => {
  const before = withTiles(draft({ concealed: "123m" }), { 1: { unsure: true } });
  const after = act(before, { name: "face", tile: 1, face: "9s" });
  assert.deepEqual(faces(after, "concealed"), ["1m", "9s", "3m"]);
  assert.equal(tileOf(after, 1).unsure, false);
});

test("the same face settles the doubt, and changes nothing where there is none", () => {
  const sure = draft({ concealed: "123m" });
  assert.equal(act(sure, { name: "face", tile: 1, face: "2m" }), sure);
  const unsure = withTiles(sure, { 1: { unsure: true, doubt: "rival" } });
  assert.equal(tileOf(act(unsure, { name: "face", tile: 1, face: "2m" }), 1).unsure, false);
});

test("a tile that turns out to be a flower leaves the hand, and back", () => {
  const flower = act(draft({ concealed: "13m" }), { name: "face", tile: 0, face: "2f" });
  assert.deepEqual([faces(flower, "flower"), faces(flower, "concealed")], [["2f"], ["3m"]]);
  const back = act(flower, { name: "face", tile: 0, face: "9m" });
  assert.deepEqual(faces(back, "concealed"), ["3m", "9m"]);
  const stray = act(draft({ strays: "1m" }), { name: "face", tile: 0, face: "2f" });
  assert.deepEqual(faces(stray, "stray"), ["2f"]);
});

test("all tiles of a concealed kong have one face", () => {
  const kong = draft({ melds: ["1111z", "222z"], hidden: [0] });
  const after = act(kong, { name: "face", tile: 2, face: "7z" });
  assert.deepEqual(faces(after, "meld"), ["7z", "7z", "7z", "7z", "2z", "2z", "2z"]);
  const melded = act({ ...kong, hidden: [] }, { name: "face", tile: 2, face: "7z" });
  assert.deepEqual(faces(melded, "meld").slice(0, 4), ["1z", "1z", "7z", "1z"]);
});

test("a stray is taken in and a tile is left out", () => {
  const before = draft({ concealed: "19m", strays: "5m" });
  const taken = act(before, { name: "role", tile: 2, role: "concealed" });
  assert.deepEqual(faces(taken, "concealed"), ["1m", "5m", "9m"]);
  assert.equal(act(before, { name: "role", tile: 2, role: "stray" }), before);
  const doubtful = withTiles(before, { 0: { unsure: true, doubt: "rival" } });
  assert.equal(tileOf(act(doubtful, { name: "role", tile: 0, role: "stray" }), 0).unsure, false);
});

test("what the camera saw is left out, what was added by hand is deleted", () => {
  const quad = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  const before = withTiles(draft({ concealed: "12m" }), { 0: { quad } });
  assert.deepEqual(faces(act(before, { name: "out", tile: 0 }), "stray"), ["1m"]);
  assert.equal(act(before, { name: "out", tile: 1 }).tiles.length, 1);
});

test("a doubt about the place is settled by saying the place, one about the face is not", () => {
  for (const [doubt, unsure] of [
    ["role", false],
    ["kong", false],
    ["rival", true],
  ]) {
    const before = withTiles(draft({ concealed: "1m", strays: "2m" }), { 1: { unsure: true, doubt } });
    assert.equal(tileOf(act(before, { name: "role", tile: 1, role: "concealed" }), 1).unsure, unsure);
    assert.equal(tileOf(act(before, { name: "win", tile: 1 }), 1).unsure, unsure);
  }
});

test("the tile that won before goes back to the hand", () => {
  const after = act(draft({ concealed: "19m", winning: "5m" }), { name: "win", tile: 0 });
  assert.deepEqual([faces(after, "winning"), faces(after, "concealed")], [["1m"], ["5m", "9m"]]);
});

test("a winning tile out of a meld dissolves the meld", () => {
  const after = act(draft({ melds: ["123m"], concealed: "9m" }), { name: "win", tile: 1 });
  assert.deepEqual(faces(after, "winning"), ["2m"]);
  assert.deepEqual(faces(after, "concealed"), ["1m", "3m", "9m"]);
});

test("a meld of concealed tiles", () => {
  const after = act(draft({ melds: ["444z"], concealed: "1111m" }), {
    name: "meld",
    tiles: [3, 4, 5, 6],
    concealed: true,
  });
  assert.deepEqual(model.groupsOf(after), [0, 1]);
  assert.deepEqual(after.hidden, [1]);
  const open = act(draft({ concealed: "111m" }), { name: "meld", tiles: [0, 1, 2], concealed: false });
  assert.deepEqual([model.groupsOf(open), open.hidden], [[0], []]);
});

test("a meld is not made of tiles that are gone or used", () => {
  const before = draft({ melds: ["123m"], concealed: "11m" });
  assert.equal(act(before, { name: "meld", tiles: [3, 4, 9], concealed: false }), before);
  assert.equal(act(before, { name: "meld", tiles: [3, 4, 0], concealed: false }), before);
});

test("a tile joins a meld of three, but not of four, and no flower does", () => {
  const before = draft({ melds: ["111m", "2222m"], concealed: "1m", flowers: "1f" });
  assert.equal(model.membersOf(act(before, { name: "join", tile: 7, group: 0 }), 0).length, 4);
  for (const change of [
    { tile: 7, group: 1 },
    { tile: 8, group: 0 },
    { tile: 0, group: 0 },
    { tile: 7, group: 5 },
  ]) {
    assert.equal(act(before, { name: "join", ...change }), before);
  }
});

test("a meld that loses a tile is dissolved, a kong that loses one is a pung without doubt", () => {
  const chow = act(draft({ melds: ["123m"], concealed: "9m" }), { name: "remove", tile: 0 });
  assert.deepEqual([faces(chow, "meld"), faces(chow, "concealed")], [[], ["2m", "3m", "9m"]]);
  const doubtful = withTiles(draft({ melds: ["1111z"] }), { 0: { unsure: true, doubt: "kong" } });
  const pung = act(doubtful, { name: "role", tile: 3, role: "stray" });
  assert.deepEqual(faces(pung, "meld"), ["1z", "1z", "1z"]);
  assert.equal(tileOf(pung, 0).unsure, false);
});

test("a dissolved kong is no longer concealed", () => {
  const after = act(draft({ melds: ["1111z", "2222z"], hidden: [0, 1] }), { name: "dissolve", group: 0 });
  assert.deepEqual([after.hidden, faces(after, "concealed")], [[1], ["1z", "1z", "1z", "1z"]]);
});

test("saying the kind of a kong settles its doubt", () => {
  const doubtful = withTiles(draft({ melds: ["1111z"] }), { 0: { unsure: true, doubt: "kong" } });
  for (const [concealed, hidden] of [
    [true, [0]],
    [false, []],
  ]) {
    const said = act(doubtful, { name: "hide", group: 0, concealed });
    assert.deepEqual([said.hidden, tileOf(said, 0).unsure], [hidden, false]);
  }
});

test("conditions change together; the discarder stays unless it is among them", () => {
  const before = draft({ discarder: "S" });
  const drawn = act(before, { name: "conditions", set: { self_drawn: true, kong: false } });
  assert.deepEqual([drawn.conditions.self_drawn, drawn.discarder], [true, "S"]);
  const moved = act(before, { name: "conditions", set: { seat_wind: "S", discarder: null } });
  assert.deepEqual([moved.conditions.seat_wind, moved.discarder], ["S", null]);
  assert.equal("discarder" in moved.conditions, false);
});

test("a change to a tile that is gone changes nothing", () => {
  const before = draft({ concealed: "1m" });
  for (const name of ["face", "agree", "role", "out", "remove", "win", "join"]) {
    assert.equal(act(before, { name, tile: 9, face: "2m", role: "stray", group: 0 }), before);
  }
});

test("a tile is dropped where it belongs", () => {
  const before = draft({ melds: ["111m"], concealed: "1m5z", flowers: "1f" });
  assert.deepEqual(faces(model.dropped(before, 4, "winning"), "winning"), ["5z"]);
  assert.equal(model.membersOf(model.dropped(before, 3, "0"), 0).length, 4);
  assert.equal(model.dropped(before, 4, "out").tiles.length, before.tiles.length - 1);
  assert.equal(model.dropped(before, 4, "concealed"), before);
  for (const place of ["winning", "flower", "concealed", "0"]) {
    assert.equal(model.dropped(before, 5, place), before);
  }
  assert.equal(model.dropped(before, 4, "flower"), before);
});

test("the server's winning tile takes the place of the one before", () => {
  const before = draft({ concealed: "12m" });
  const won = model.withWinning(before, { tile: 1, completed: 14 });
  assert.deepEqual([faces(won, "winning"), tileOf(won, 1).completed], [["2m"], 14]);
  assert.equal(model.withWinning(won, { tile: 1, completed: 14 }), won);
  assert.deepEqual(faces(model.withWinning(won, { tile: 0, completed: 14 }), "winning"), ["1m"]);
  const none = model.withWinning(won, null);
  assert.deepEqual(faces(none, "concealed"), ["1m", "2m"]);
  assert.equal(tileOf(none, 1).completed, null);
  assert.equal(model.withWinning(before, null), before);
});

test("a winning tile that a person marked is nobody's choice but theirs", () => {
  const chosen = model.withWinning(draft({ concealed: "12m" }), { tile: 1, completed: 14 });
  assert.equal(tileOf(act(chosen, { name: "win", tile: 1 }), 1).completed, null);
});

test("the request says what the server needs and leaves out what is null", () => {
  const quad = [[0, 0]];
  const before = withTiles(draft({ melds: ["123m"], concealed: "5z", hidden: [7], discarder: "W" }), {
    0: { photo: 0, quad, at: [1, 2, 3], unsure: true, doubt: "kong", confidence: 0.5 },
    1: { unsure: true },
    2: { doubt: "rival" },
  });
  const { draft: sent, ...conditions } = model.requestOf(before);
  assert.deepEqual(sent.tiles, [
    { id: 0, face: "1m", role: "meld", group: 0, doubt: "kong", confidence: 0.5, photo: 0, at: [1, 2, 3] },
    { id: 1, face: "2m", role: "meld", group: 0, doubt: "face" },
    { id: 2, face: "3m", role: "meld", group: 0 },
    { id: 3, face: "5z", role: "concealed" },
  ]);
  assert.deepEqual([sent.hidden, sent.added], [[7], null]);
  assert.deepEqual(conditions, { ...before.conditions, discarder: "W" });
});

test("clearing keeps the photos and the conditions", () => {
  const photos = [{ photo: "/photos/x.jpg", width: 3, height: 4 }];
  const after = model.cleared(draft({ concealed: "1m", photos, discarder: "S" }));
  assert.deepEqual([after.tiles, after.photos, after.discarder], [[], photos, null]);
});
