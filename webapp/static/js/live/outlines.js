// Outlines and names of the tiles over the picture of the camera. A sure tile has a whole outline and a square name, an
// unsure one a dashed outline and a round name with a question mark.

import { svg } from "../dom.js";

const NAME_PX = 12; // height of the smallest letters on the screen
const NAME_OF_TILE = 0.42; // height of the letters, in widths of the tile

const length = ([x0, y0], [x1, y1]) => Math.hypot(x1 - x0, y1 - y0);

export class Outlines {
  constructor() {
    this.group = svg("g", {});
    this.element = svg("svg", { class: "outlines", "aria-hidden": "true" }, this.group);
    this.drawn = new Map(); // by the number of the tile
    this.width = 0;
  }

  // Draws what the server saw in a frame.
  draw({ tiles, width, height }) {
    this.width = width;
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const { clientWidth, clientHeight } = this.element;
    const unit = Math.max(width / Math.max(1, clientWidth), height / Math.max(1, clientHeight));
    const shown = tiles.filter((tile) => tile.role !== "stray");
    const numbers = new Set(shown.map((tile) => tile.number));
    for (const [number, parts] of this.drawn) {
      if (!numbers.has(number)) {
        parts.remove();
        this.drawn.delete(number);
      }
    }
    for (const tile of shown) this.drawTile(tile, unit);
  }

  drawTile(tile, unit) {
    if (!this.drawn.has(tile.number)) {
      const parts = svg("g", {}, svg("polygon", {}), svg("rect", {}), svg("text", {}));
      this.drawn.set(tile.number, parts);
      this.group.append(parts);
    }
    const parts = this.drawn.get(tile.number);
    const [polygon, rect, text] = parts.children;
    parts.setAttribute("class", tile.sure ? "sure" : "unsure");
    parts.dataset.face = tile.face;
    polygon.setAttribute("points", tile.quad.map((point) => point.join(",")).join(" "));
    const name = tile.sure ? tile.label : `${tile.label}?`;
    if (text.textContent !== name) text.textContent = name;
    const side = Math.min(length(tile.quad[0], tile.quad[1]), length(tile.quad[1], tile.quad[2]));
    const size = Math.max(NAME_PX * unit, NAME_OF_TILE * side);
    // The name lies on the edge that is highest on the screen, out of the way of the face.
    const edges = tile.quad.map((point, place) => {
      const next = tile.quad[(place + 1) % 4];
      return [(point[0] + next[0]) / 2, (point[1] + next[1]) / 2];
    });
    const [x, y] = edges.reduce((best, edge) => (edge[1] < best[1] ? edge : best));
    const wide = size * (0.5 + 0.62 * [...name].length);
    const box = { x: x - wide / 2, y: y - size * 0.75, width: wide, height: size * 1.25 };
    for (const [key, value] of Object.entries(box)) rect.setAttribute(key, value.toFixed(1));
    rect.setAttribute("rx", (tile.sure ? size * 0.15 : size * 0.6).toFixed(1));
    for (const [key, value] of Object.entries({ x, y: y + size * 0.22, "font-size": size })) {
      text.setAttribute(key, value.toFixed(1));
    }
  }

  // Moves the outlines by a motion of the camera, found in a picture `width` pixels wide.
  follow({ a, b, x0, y0 }, width) {
    if (!this.width) return;
    const scale = this.width / width;
    this.group.setAttribute("transform", `matrix(${a} ${b} ${-b} ${a} ${x0 * scale} ${y0 * scale})`);
  }

  clear() {
    this.drawn.clear();
    this.group.replaceChildren();
  }
}
