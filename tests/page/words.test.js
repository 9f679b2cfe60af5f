import assert from "node:assert/strict";
import { test } from "node:test";
import "./browser.js";
import { gettext, ngettext, tileName } from "../../webapp/static/js/dom.js";
import { merged } from "../../webapp/static/js/fan_rows.js";
import { roomAfter, whyNot } from "../../webapp/static/js/room.js";
import { signed, totalText } from "../../webapp/static/js/words.js";

test("a translated string is shown, another stays English", () => {
  assert.equal(gettext("Cancel"), "取消");
  assert.equal(gettext("Undo"), "Undo");
  assert.equal(gettext("Take %(tile)s", { tile: "x" }), "Take x");
});

test("one and many, in both languages", () => {
  assert.equal(ngettext("%(number)s point", "%(number)s points", 1), "1 point");
  assert.equal(ngettext("%(number)s point", "%(number)s points", 2), "2 points");
  assert.equal(ngettext("%(number)s tile", "%(number)s tiles", 2), "2 张");
  assert.equal(totalText({ total: 21 }), "21 points");
});

test("points have a sign", () => {
  assert.deepEqual([signed(45), signed(-8)], ["+45", "−8"]);
});

test("a face without a name is shown as it is", () => {
  assert.deepEqual([tileName("1m"), tileName("none")], ["1 Characters", "none"]);
});

test("a complete hand takes flowers only", () => {
  const room = { tiles: 0, faces: { "1m": 3, "1f": 1, "2f": 0 } };
  assert.match(whyNot(room, "1m"), /^The hand is complete/);
  assert.equal(whyNot(room, "1f"), "");
  assert.match(whyNot(room, "2f"), /every copy of 2f/);
  assert.equal(whyNot({ ...room, tiles: null }, "1m"), "");
});

test("each added tile takes room", () => {
  const room = { tiles: 2, faces: { "1m": 3, "1f": 1 } };
  assert.deepEqual(roomAfter(room, "1m"), { tiles: 1, faces: { "1m": 2, "1f": 1 } });
  assert.deepEqual(roomAfter(room, "1f"), { tiles: 2, faces: { "1m": 3, "1f": 0 } });
  assert.equal(roomAfter({ ...room, tiles: null }, "1m").tiles, null);
});

test("a fan left out several times for one reason is one row", () => {
  const fans = [
    { fan: "幺九刻", reason: "a" },
    { fan: "幺九刻", reason: "a" },
    { fan: "幺九刻", reason: "b" },
  ];
  assert.deepEqual(
    merged(fans).map((one) => one.count),
    [2, 1],
  );
});
