// Charts as SVG: lines, stacked bars and plain bars. Colours come from the style sheet, and every line also has a dash
// pattern of its own, so that nothing depends on telling colours apart.

import { svg } from "../dom.js";
import { signed } from "../words.js";

const WIDTH = 360;
const HEIGHT = 200;
const LEFT = 46;
const ROW = 28;
const NAMES = 128;

const points = (number) => (number === 0 ? "0" : signed(number));

// A step that divides the range into about four, a round number.
function step(range) {
  const rough = Math.max(range, 1) / 4;
  const size = 10 ** Math.floor(Math.log10(rough));
  return Math.max(1, size * [1, 2, 5, 10].find((times) => times * size >= rough));
}

// `lines`: [{ name, course }], a value after each hand. Lines begin at 0 and are as long as their course.
export function lineChart(lines, label) {
  const values = [0, ...lines.flatMap((line) => line.course)];
  const size = step(Math.max(...values) - Math.min(...values));
  const low = Math.floor(Math.min(...values) / size) * size;
  const high = Math.max(Math.ceil(Math.max(...values) / size) * size, low + size);
  const longest = Math.max(1, ...lines.map((line) => line.course.length));
  const x = (place) => LEFT + (place / longest) * (WIDTH - LEFT - 8);
  const y = (value) => 10 + ((high - value) / (high - low)) * (HEIGHT - 24);
  const grid = [];
  for (let value = low; value <= high; value += size) {
    grid.push(
      svg("line", {
        x1: LEFT,
        x2: WIDTH - 8,
        y1: y(value),
        y2: y(value),
        class: value === 0 ? "zero" : "grid",
      }),
      svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, points(value)),
    );
  }
  const drawn = lines.map((line, place) =>
    svg("polyline", {
      class: `line line-${place}`,
      points: [0, ...line.course].map((value, hand) => `${x(hand)},${y(value)}`).join(" "),
    }),
  );
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label },
    grid,
    drawn,
  );
}

// A swatch of the line with this place, for the legend.
export function swatch(place) {
  return svg(
    "svg",
    { viewBox: "0 0 30 10", class: "chart swatch", "aria-hidden": "true" },
    svg("line", { class: `line line-${place}`, x1: 0, x2: 30, y1: 5, y2: 5 }),
  );
}

// `rows`: [{ name, parts: [numbers] }]: a bar per row of the parts one after the other, with the number in each.
export function barChart(rows, label) {
  const longest = Math.max(1, ...rows.map((row) => row.parts.reduce((sum, part) => sum + part, 0)));
  const unit = (WIDTH - NAMES - 8) / longest;
  const drawn = rows.map((row, line) => {
    let x = NAMES;
    const bars = row.parts.flatMap((part, place) => {
      const width = part * unit;
      const bar = [
        svg("rect", { class: `bar bar-${place}`, x, y: line * ROW + 4, width, height: ROW - 8 }),
        width > 18 &&
          svg("text", { class: `on-bar on-bar-${place}`, x: x + 5, y: line * ROW + 18 }, String(part)),
      ];
      x += width;
      return bar;
    });
    return [svg("text", { x: 0, y: line * ROW + 18 }, shortened(row.name)), bars];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${rows.length * ROW}`, class: "chart", role: "img", "aria-label": label },
    drawn,
  );
}

// Chinese characters are twice as wide as Latin letters.
function shortened(name) {
  let width = 0;
  const kept = [...name].filter((letter) => {
    width += letter.codePointAt(0) > 0x2e80 ? 2 : 1;
    return width <= 18;
  });
  return kept.length < [...name].length ? `${kept.join("")}…` : name;
}
