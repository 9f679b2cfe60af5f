// The camera's motion between two grey pictures.

import assert from "node:assert/strict";
import { test } from "node:test";
import { after, inverse, motionBetween, reach, STILL } from "../../webapp/static/js/live/motion.js";

const [WIDTH, HEIGHT] = [96, 72];

// A picture of waves, as the camera sees it after a motion; `light` is added to all of it.
function seen({ a, b, x0, y0 } = STILL, light = 0) {
  const back = inverse({ a, b, x0, y0 });
  const values = new Float32Array(WIDTH * HEIGHT);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const [u, v] = [back.a * x - back.b * y + back.x0, back.b * x + back.a * y + back.y0];
      const waves = Math.sin(u / 5) + Math.cos(v / 7) + Math.sin((u + 2 * v) / 11) + Math.cos((u - v) / 17);
      values[y * WIDTH + x] = 128 + 25 * waves + light;
    }
  }
  return { values, width: WIDTH, height: HEIGHT };
}

function turned(degrees, zoom, x0, y0) {
  const angle = (degrees * Math.PI) / 180;
  return { a: zoom * Math.cos(angle), b: zoom * Math.sin(angle), x0, y0 };
}

// How far two motions lie apart at the corners, in pixels.
function apart(one, other) {
  return reach(after(inverse(one), other), WIDTH, HEIGHT) * WIDTH;
}

for (const motion of [
  STILL,
  turned(0, 1, 3, -2),
  turned(0, 1, -9, 4),
  turned(2, 1, 1, 0),
  turned(-4, 1.03, 5, 2),
  turned(1, 0.94, -2, 3),
]) {
  test(`finds ${JSON.stringify(motion)}`, () => {
    assert.ok(apart(motionBetween(seen(), seen(motion)), motion) < 0.3);
  });
}

test("a change of light is no motion", () => {
  assert.ok(apart(motionBetween(seen(), seen(STILL, 40)), STILL) < 0.05);
});

test("a reflection that wanders is no motion", () => {
  const shining = (picture, left) => {
    const values = picture.values.slice();
    for (let y = 20; y < 40; y += 1) values.fill(255, y * WIDTH + left, y * WIDTH + left + 20);
    return { ...picture, values };
  };
  const motion = turned(0, 1, 1, 0);
  const found = motionBetween(shining(seen(), 30), shining(seen(motion), 36));
  assert.ok(apart(found, motion) < 1);
});

test("motions follow each other, and an inverse takes one back", () => {
  const [one, other] = [turned(10, 1.2, 4, 5), turned(-3, 0.9, -7, 2)];
  assert.ok(apart(after(after(one, other), inverse(other)), one) < 1e-9);
});

test("what was found step by step adds up", () => {
  const steps = Array.from({ length: 12 }, (_, step) => turned(step / 3, 1 + step / 200, 1.5 * step, -step));
  const total = steps
    .slice(1)
    .reduce((sum, motion, place) => after(sum, motionBetween(seen(steps[place]), seen(motion))), STILL);
  assert.ok(apart(total, steps.at(-1)) < 1);
});

test("a plain picture tells nothing", () => {
  const plain = { values: new Float32Array(WIDTH * HEIGHT).fill(90), width: WIDTH, height: HEIGHT };
  assert.deepEqual(motionBetween(plain, plain), STILL);
});
