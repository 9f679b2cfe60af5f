// How the camera moved between two small grey pictures: turned, nearer or farther, shifted. Found by Gauss and Newton,
// from coarse to fine, so that it takes a millisecond.
//
// A motion takes (x, y) to (a·x − b·y + x0, b·x + a·y + y0), in pixels of the larger picture.

export const STILL = { a: 1, b: 0, x0: 0, y0: 0 };

const STEPS = 20;
const MOST = 15; // grey levels; a larger difference is a reflection that wanders, not the table
const ENOUGH = 0.01; // pixels; a smaller step changes nothing
const SMALLEST_PX = 16;

// The motion of `first`, then of `second`.
export function after(first, second) {
  return {
    a: second.a * first.a - second.b * first.b,
    b: second.b * first.a + second.a * first.b,
    x0: second.a * first.x0 - second.b * first.y0 + second.x0,
    y0: second.b * first.x0 + second.a * first.y0 + second.y0,
  };
}

export function inverse({ a, b, x0, y0 }) {
  const size = a * a + b * b;
  return { a: a / size, b: -b / size, x0: -(a * x0 + b * y0) / size, y0: (b * x0 - a * y0) / size };
}

// How far the corners of a picture move at most, as a share of its width.
export function reach({ a, b, x0, y0 }, width, height) {
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ];
  const moved = corners.map(([x, y]) => Math.hypot(a * x - b * y + x0 - x, b * x + a * y + y0 - y));
  return Math.max(...moved) / width;
}

// The grey values of RGBA pixels.
export function grey({ data, width, height }) {
  const values = new Float32Array(width * height);
  for (let place = 0; place < values.length; place += 1) {
    const at = 4 * place;
    values[place] = 0.3 * data[at] + 0.59 * data[at + 1] + 0.11 * data[at + 2];
  }
  return { values, width, height };
}

function halved({ values, width, height }) {
  const [across, down] = [width >> 1, height >> 1];
  const half = new Float32Array(across * down);
  for (let y = 0; y < down; y += 1) {
    for (let x = 0; x < across; x += 1) {
      const at = 2 * y * width + 2 * x;
      half[y * across + x] = (values[at] + values[at + 1] + values[at + width] + values[at + width + 1]) / 4;
    }
  }
  return { values: half, width: across, height: down };
}

// The motion from one grey picture to another of the same size.
export function motionBetween(from, to) {
  if (Math.min(from.width, from.height) < 2 * SMALLEST_PX) return refined(from, to, STILL);
  const { a, b, x0, y0 } = motionBetween(halved(from), halved(to));
  return refined(from, to, { a, b, x0: 2 * x0, y0: 2 * y0 });
}

function refined(from, to, start) {
  const { slopes, inner } = slopesOf(from);
  const solve = solver(slopes);
  if (!solve) return start;
  let motion = start;
  for (let step = 0; step < STEPS; step += 1) {
    const sums = misfit(from, to, motion, slopes, inner);
    if (!sums) return start;
    const [da, db, dx, dy] = solve(sums);
    motion = after(inverse({ a: 1 + da, b: db, x0: dx, y0: dy }), motion);
    if (reach({ a: 1 + da, b: db, x0: dx, y0: dy }, from.width, from.height) * from.width < ENOUGH) break;
  }
  return motion;
}

// For each pixel not at the edge, how its grey value changes with the four numbers of a motion.
function slopesOf({ values, width, height }) {
  const count = (width - 2) * (height - 2);
  const inner = new Int32Array(count);
  const slopes = new Float32Array(4 * count);
  let place = 0;
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const across = (values[at + 1] - values[at - 1]) / 2;
      const down = (values[at + width] - values[at - width]) / 2;
      inner[place] = at;
      slopes[4 * place] = across * x + down * y;
      slopes[4 * place + 1] = down * x - across * y;
      slopes[4 * place + 2] = across;
      slopes[4 * place + 3] = down;
      place += 1;
    }
  }
  return { inner, slopes };
}

// What motion the sums of slopes times misfits ask for, or null if the picture is too plain to tell.
function solver(slopes) {
  const matrix = Array.from({ length: 4 }, () => new Float64Array(8));
  for (let at = 0; at < slopes.length; at += 4) {
    for (let row = 0; row < 4; row += 1) {
      for (let column = 0; column < 4; column += 1) {
        matrix[row][column] += slopes[at + row] * slopes[at + column];
      }
    }
  }
  for (let row = 0; row < 4; row += 1) matrix[row][4 + row] = 1;
  for (let pivot = 0; pivot < 4; pivot += 1) {
    if (Math.abs(matrix[pivot][pivot]) < 1e-6) return null;
    const scale = 1 / matrix[pivot][pivot];
    for (let column = 0; column < 8; column += 1) matrix[pivot][column] *= scale;
    for (let row = 0; row < 4; row += 1) {
      const share = matrix[row][pivot];
      if (row === pivot || !share) continue;
      for (let column = 0; column < 8; column += 1) matrix[row][column] -= share * matrix[pivot][column];
    }
  }
  return (sums) => matrix.map((row) => sums.reduce((total, sum, column) => total + row[4 + column] * sum, 0));
}

// The sums of slopes times the differences that remain under a motion; a change of light does not count.
function misfit(from, to, { a, b, x0, y0 }, slopes, inner) {
  const { width, height } = from;
  const { values } = to;
  const differences = new Float32Array(inner.length);
  let [total, count] = [0, 0];
  for (let place = 0; place < inner.length; place += 1) {
    const x = inner[place] % width;
    const y = (inner[place] - x) / width;
    const u = a * x - b * y + x0;
    const v = b * x + a * y + y0;
    if (u < 0 || v < 0 || u >= width - 1 || v >= height - 1) {
      differences[place] = Number.NaN;
      continue;
    }
    const corner = Math.floor(v) * width + Math.floor(u);
    const right = u - Math.floor(u);
    const low = v - Math.floor(v);
    const upper = values[corner] * (1 - right) + values[corner + 1] * right;
    const lower = values[corner + width] * (1 - right) + values[corner + width + 1] * right;
    differences[place] = upper * (1 - low) + lower * low - from.values[inner[place]];
    total += differences[place];
    count += 1;
  }
  if (count < inner.length / 2) return null;
  const light = total / count;
  const sums = [0, 0, 0, 0];
  for (let place = 0; place < inner.length; place += 1) {
    if (Number.isNaN(differences[place])) continue;
    const rest = Math.max(-MOST, Math.min(MOST, differences[place] - light));
    for (let row = 0; row < 4; row += 1) sums[row] += slopes[4 * place + row] * rest;
  }
  return sums;
}
