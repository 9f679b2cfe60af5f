import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import {
  addMissing,
  addPhoto,
  fromHand,
  fromLink,
  layReading,
  replacePhotos,
} from "../../webapp/static/js/intake.js";
import { groupsOf } from "../../webapp/static/js/model.js";
import { draft, EMPTY, faces, withTiles } from "./drafts.js";

const HAND = {
  concealed: ["1m", "2m", "3m", "5z"],
  melds: [
    { kind: "chow", tile: "4p", tiles: ["4p", "5p", "6p"] },
    { kind: "concealed_kong", tile: "7s", tiles: ["7s", "7s", "7s", "7s"] },
  ],
  winning_tile: "5z",
  flowers: ["2f", "8f"],
  self_drawn: true,
  seat_wind: "S",
};
const photo = (name) => ({ photo: `/photos/${name}.jpg`, width: 10, height: 10 });

test("a hand as JSON becomes tiles in their places", () => {
  const laid = fromHand(HAND, EMPTY);
  assert.deepEqual(faces(laid, "concealed"), HAND.concealed);
  assert.deepEqual(faces(laid, "winning"), ["5z"]);
  assert.deepEqual(faces(laid, "flower"), ["2f", "8f"]);
  assert.deepEqual([groupsOf(laid), laid.hidden], [[0, 1], [1]]);
  assert.deepEqual(laid.conditions, { ...EMPTY.conditions, self_drawn: true, seat_wind: "S" });
  assert.equal(new Set(laid.tiles.map((tile) => tile.id)).size, laid.tiles.length);
});

test("flowers that are only counted are the first ones", () => {
  assert.deepEqual(faces(fromHand({ ...HAND, flowers: 3 }, EMPTY), "flower"), ["1f", "2f", "3f"]);
});

test("a link says what the notation cannot", () => {
  const asked = new URLSearchParams({
    h: "…|ES0000",
    profile: "platform",
    opening: "heavenly",
    discarder: "W",
  });
  const laid = fromLink(HAND, asked, EMPTY);
  const { profile, opening, seat_wind: seat } = laid.conditions;
  assert.deepEqual([profile, opening, seat, laid.discarder], ["platform", "heavenly", "S", "W"]);
});

test("text that does not say how the hand was won leaves who won open", () => {
  const open = { ...EMPTY, conditions: { ...EMPTY.conditions, seat_wind: null } };
  const told = (text) => fromLink(HAND, new URLSearchParams({ h: text }), open).conditions.seat_wind;
  assert.deepEqual([told("…"), told("…|ES0000")], [null, "S"]);
});

test("a link with nonsense in it opens the hand all the same", () => {
  for (const discarder of ["S", "Q", ""]) {
    const laid = fromLink(HAND, new URLSearchParams({ discarder }), EMPTY);
    assert.deepEqual([laid.discarder, laid.conditions.profile], [null, "guobiao"]);
  }
});

test("a second photo adds its tiles with numbers of their own", () => {
  const first = draft({ melds: ["111z"], concealed: "1m", winning: "2m", photos: [photo("a")] });
  const second = withTiles(draft({ melds: ["2222z"], winning: "9m", hidden: [0], photos: [photo("b")] }), {});
  const both = addPhoto(first, second);
  assert.deepEqual(both.photos, [photo("a"), photo("b")]);
  assert.equal(new Set(both.tiles.map((tile) => tile.id)).size, 10);
  assert.deepEqual([groupsOf(both), both.hidden], [[0, 1], [1]]);
  assert.deepEqual(faces(both, "winning"), ["2m"]);
  assert.deepEqual(faces(both, "concealed"), ["1m", "9m"]);
  assert.deepEqual([...new Set(both.tiles.slice(5).map((tile) => tile.photo))], [1]);
  // Without a winning tile in the first photo, that of the second counts.
  const other = addPhoto(draft({ concealed: "1m", photos: [photo("a")] }), second);
  assert.deepEqual(faces(other, "winning"), ["9m"]);
});

test("another reading moves the tiles it names and no other", () => {
  const before = withTiles(draft({ melds: ["1111z", "222z"], concealed: "34m", strays: "9p", hidden: [0] }), {
    7: { unsure: true, doubt: "role" },
    8: { unsure: false },
  });
  const reading = {
    tiles: [
      ...[0, 1, 2, 3].map((id) => ({ id, face: "1z", role: "concealed", group: null, unsure: false })),
      { id: 7, face: "5m", role: "winning", group: null, unsure: false },
      { id: 8, face: "4m", role: "meld", group: 0, unsure: true },
    ],
    hidden: [0],
  };
  const after = layReading(before, reading);
  assert.deepEqual([faces(after, "concealed"), faces(after, "winning")], [["1z", "1z", "1z", "1z"], ["5m"]]);
  // The meld of the reading has a number of its own, and what a person has settled stays settled.
  assert.deepEqual([groupsOf(after), after.hidden], [[1, 2], [2]]);
  assert.deepEqual(
    [7, 8].map((id) => after.tiles.find((tile) => tile.id === id).unsure),
    [false, false],
  );
  assert.deepEqual(faces(after, "stray"), ["9p"]);
});

const ANY = { tiles: null, faces: {} };

test("a second photo that fits is added whole", () => {
  const first = draft({ concealed: "1m1m", photos: [photo("a")] });
  const more = draft({ concealed: "1m", melds: ["222z"], photos: [photo("b")] });
  for (const room of [ANY, { tiles: 4, faces: {} }]) {
    const both = addMissing(first, more, room);
    assert.deepEqual(faces(both, "concealed"), ["1m", "1m", "1m"]);
    assert.deepEqual(faces(both, "meld"), ["2z", "2z", "2z"]);
  }
});

test("a second photo that does not fit adds what the hand lacks", () => {
  const first = draft({ melds: ["222z"], concealed: "1m2m3m", flowers: "1f", photos: [photo("a")] });
  const more = draft({
    melds: ["222z", "333z"],
    concealed: "1m2m3m4m",
    winning: "5m",
    flowers: "1f",
    photos: [photo("b")],
  });
  const both = addMissing(first, more, { tiles: 5, faces: {} });
  assert.deepEqual(faces(both, "concealed"), ["1m", "2m", "3m", "4m"]);
  assert.deepEqual(faces(both, "winning"), ["5m"]);
  assert.deepEqual(faces(both, "meld"), ["2z", "2z", "2z", "3z", "3z", "3z"]);
  assert.deepEqual(faces(both, "flower"), ["1f"]);
  assert.equal(faces(both, "stray").length, 7);
});

test("a photo taken again keeps how the hand was won", () => {
  const conditions = { ...EMPTY.conditions, seat_wind: "W" };
  const first = { ...draft({ concealed: "1m", conditions, photos: [photo("a")] }), discarder: "S" };
  const again = replacePhotos(first, draft({ concealed: "2m", photos: [photo("b")] }));
  assert.deepEqual([faces(again, "concealed"), again.photos], [["2m"], [photo("b")]]);
  assert.deepEqual([again.conditions.seat_wind, again.discarder], ["W", "S"]);
});
