// The photo with an outline around each tile. Drag, pinch or the buttons move and zoom it; a tap picks a tile.

import { gettext, h, svg } from "./dom.js";
import { listenForBox } from "./photo_box.js";

const MAX_ZOOM = 12;

function boundsOf(tiles) {
  const points = tiles.flatMap((tile) => tile.quad);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

function side([x0, y0], [x1, y1]) {
  return Math.hypot(x1 - x0, y1 - y0);
}

// A tile cut out of the photo and turned upright: three by four units, with a margin.
export function cutOut(photo, quad) {
  const [[x0, y0], [x1, y1], , [x3, y3]] = quad;
  const [ux, uy, vx, vy] = [(x1 - x0) / 3, (y1 - y0) / 3, (x3 - x0) / 4, (y3 - y0) / 4];
  const area = ux * vy - uy * vx;
  if (Math.abs(area) < 1e-9) return null;
  const [a, b, c, d] = [vy / area, -uy / area, -vx / area, ux / area];
  const matrix = [a, b, c, d, -(a * x0 + c * y0), -(b * x0 + d * y0)];
  return svg(
    "svg",
    {
      viewBox: "-0.35 -0.35 3.7 4.7",
      class: "cutout",
      role: "img",
      "aria-label": gettext("The tile in the photo"),
    },
    svg("image", {
      href: photo.photo,
      width: photo.width,
      height: photo.height,
      preserveAspectRatio: "none",
      transform: `matrix(${matrix.join(" ")})`,
    }),
  );
}

// A button that takes or chooses a photo.
function photoInput(id, label, accept, run) {
  const input = h("input", {
    type: "file",
    accept,
    class: "unseen",
    id,
    onchange: () => {
      if (input.files.length) run(input.files[0]);
      input.value = "";
    },
  });
  return [input, h("label", { for: id, class: "another" }, label)];
}

export class PhotoView {
  constructor(section, { pick, add, retake, choose }) {
    this.section = section;
    this.onpick = pick;
    this.onchoose = choose;
    this.choosing = false;
    this.shown = []; // the tiles of the photo that is shown
    this.place = 0; // which of the draft's photos is shown
    this.photo = null;
    this.pointers = new Map();
    this.outlines = svg("g", {});
    this.canvas = svg("svg", {
      class: "canvas",
      role: "img",
      "aria-label": gettext("Photo with the tiles outlined"),
    });
    this.pages = h("div", { class: "pages", role: "group", "aria-label": gettext("Photos of this hand") });
    const button = (label, text, run) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: run }, text);
    this.fitButton = h("button", { type: "button", class: "fit", onclick: () => this.toggleFit() });
    this.chooseButton = button(gettext("Choose the hand"), gettext("Choose the hand"), () =>
      this.setChoosing(!this.choosing),
    );
    this.chooseButton.dataset.key = "choose-hand";
    this.hint = h(
      "p",
      { class: "hint", id: "choose-hint", role: "status" },
      gettext("Drag a box around the hand, or tap one of its rows."),
    );
    section.replaceChildren(
      this.canvas,
      this.hint,
      h(
        "div",
        { class: "zoom" },
        this.pages,
        this.chooseButton,
        photoInput("retake", gettext("Retake"), section.dataset.accept, retake),
        photoInput("another", gettext("Add a photo"), section.dataset.accept, add),
        this.fitButton,
        button(gettext("Zoom out"), "−", () => this.zoom(1 / 1.6)),
        button(gettext("Zoom in"), "+", () => this.zoom(1.6)),
      ),
    );
    section.hidden = false;
    this.setChoosing(false);
    this.listen();
    listenForBox(this.canvas, {
      toPhoto: (x, y) => this.toPhoto(x, y),
      tiles: () => this.shown,
      choose: (tiles) => {
        this.setChoosing(false);
        this.onchoose(this.place, tiles);
      },
      isChoosing: () => this.choosing,
    });
    // Turning the phone changes the shape of the canvas, so the view is fitted to the tiles again.
    new ResizeObserver(() => this.photo && this.refit()).observe(section);
  }

  // While somebody chooses the hand, a drag draws a box, and the whole photo shows.
  setChoosing(on) {
    this.choosing = on;
    this.section.classList.toggle("choosing", on);
    this.chooseButton.setAttribute("aria-pressed", String(on));
    this.hint.hidden = !on;
    if (on) this.goWhole();
  }

  refit() {
    const fitted = this.atHome;
    this.home = this.filled(this.bounds);
    if (fitted) this.show(this.home);
  }

  // Shows another photo of the draft, fitted to its tiles.
  turnTo(draft, place) {
    this.place = place;
    this.photo = draft.photos[place];
    const { photo, width, height } = this.photo;
    this.canvas.replaceChildren(
      svg("image", { href: photo, width, height, preserveAspectRatio: "none" }),
      this.outlines,
    );
    const seen = draft.tiles.filter((tile) => tile.quad && tile.photo === place && tile.role !== "stray");
    this.bounds = this.around(
      boundsOf(
        seen.length
          ? seen
          : [
              {
                quad: [
                  [0, 0],
                  [width, height],
                ],
              },
            ],
      ),
    );
    this.goHome();
  }

  // Shapes the canvas like the row of tiles and fits the view to them.
  goHome() {
    const ratio = this.bounds.width / this.bounds.height;
    this.canvas.style.aspectRatio = String(Math.min(4, Math.max(0.9, ratio)));
    this.canvas.classList.remove("whole");
    this.home = this.filled(this.bounds);
    this.show(this.home);
  }

  // Shapes the canvas like the photo, as tall as the screen has room for.
  goWhole() {
    this.canvas.style.aspectRatio = String(this.photo.width / this.photo.height);
    this.canvas.classList.add("whole");
    this.show(this.whole);
  }

  // The box widened to the shape of the canvas: more of the photo shows instead of an empty margin.
  filled(box) {
    const shape = this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
    const width = Math.min(this.photo.width, Math.max(box.width, box.height * shape));
    const height = Math.min(this.photo.height, Math.max(box.height, box.width / shape));
    const within = (start, size, whole) => Math.min(Math.max(0, start), whole - size);
    return {
      x: within(box.x + (box.width - width) / 2, width, this.photo.width),
      y: within(box.y + (box.height - height) / 2, height, this.photo.height),
      width,
      height,
    };
  }

  // A box of the photo with a margin.
  around({ x, y, width, height }) {
    const margin = 0.06 * Math.max(width, height);
    const [left, top] = [Math.max(0, x - margin), Math.max(0, y - margin)];
    const [right, bottom] = [
      Math.min(this.photo.width, x + width + margin),
      Math.min(this.photo.height, y + height + margin),
    ];
    return { x: left, y: top, width: right - left, height: bottom - top };
  }

  get whole() {
    return { x: 0, y: 0, width: this.photo.width, height: this.photo.height };
  }

  show(box) {
    this.box = box;
    this.canvas.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    const zoomed = box.width < this.home.width * 0.98;
    this.canvas.classList.toggle("zoomed", zoomed);
    this.atHome = box === this.home;
    this.fitButton.textContent = this.atHome ? gettext("Whole photo") : gettext("Zoom to the tiles");
  }

  toggleFit() {
    if (this.atHome) this.goWhole();
    else this.goHome();
  }

  // Zooms by `factor` about a point of the photo; by default, the middle of the view.
  zoom(factor, at) {
    const { x, y, width, height } = this.box;
    const centre = at || [x + width / 2, y + height / 2];
    const wanted = Math.min(this.photo.width * 1.2, Math.max(this.home.width / MAX_ZOOM, width / factor));
    const scale = wanted / width;
    this.show({
      x: centre[0] - (centre[0] - x) * scale,
      y: centre[1] - (centre[1] - y) * scale,
      width: wanted,
      height: height * scale,
    });
  }

  toPhoto(clientX, clientY) {
    const point = new DOMPoint(clientX, clientY).matrixTransform(this.canvas.getScreenCTM().inverse());
    return [point.x, point.y];
  }

  listen() {
    this.canvas.addEventListener("pointerdown", (event) => {
      if (this.choosing) return;
      this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
      if (this.pointers.size === 1) {
        this.dragged = false;
        this.start = [event.clientX, event.clientY];
      }
    });
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
      this.canvas.addEventListener(kind, (event) => this.pointers.delete(event.pointerId));
    }
    this.canvas.addEventListener("click", (event) => {
      const outline = event.target.closest("[data-tile]");
      if (outline && !this.dragged && !this.choosing) this.onpick(Number(outline.dataset.tile));
    });
    this.canvas.addEventListener("dblclick", (event) =>
      this.zoom(2, this.toPhoto(event.clientX, event.clientY)),
    );
    this.canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, this.toPhoto(event.clientX, event.clientY));
      },
      { passive: false },
    );
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    if (this.pointers.size === 1 && side(this.start, [event.clientX, event.clientY]) < 8 && !this.dragged)
      return;
    this.dragged = true;
    this.canvas.setPointerCapture(event.pointerId);
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    if (others.length) {
      const [other] = others;
      const grown = side(other, [event.clientX, event.clientY]) / Math.max(1, side(other, before));
      const middle = [(other[0] + event.clientX) / 2, (other[1] + event.clientY) / 2];
      this.zoom(grown, this.toPhoto(...middle));
    } else {
      const [fromX, fromY] = this.toPhoto(...before);
      const [toX, toY] = this.toPhoto(event.clientX, event.clientY);
      this.show({ ...this.box, x: this.box.x + fromX - toX, y: this.box.y + fromY - toY });
    }
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  update(draft, selected, lit) {
    const chosen = draft.tiles.find((tile) => tile.id === selected && tile.quad);
    const wanted = chosen ? chosen.photo : Math.min(this.place, draft.photos.length - 1);
    if (this.photo !== draft.photos[wanted]) this.turnTo(draft, wanted);
    this.pages.replaceChildren(
      ...(draft.photos.length < 2 ? [] : draft.photos).map((_, place) =>
        h(
          "button",
          {
            type: "button",
            "data-key": `photo-${place}`,
            "aria-pressed": String(place === this.place),
            onclick: () => {
              this.turnTo(draft, place);
              this.update(draft, null, lit);
            },
          },
          String(place + 1),
        ),
      ),
    );
    this.shown = draft.tiles.filter((tile) => tile.quad && tile.photo === this.place);
    this.outlines.replaceChildren(
      ...this.shown.map((tile) => {
        const names = ["outline", tile.role];
        if (tile.unsure) names.push("unsure");
        if (tile.id === selected) names.push("selected");
        if (lit.has(tile.id)) names.push("lit");
        const x = Math.min(...tile.quad.map(([across]) => across));
        const y = Math.min(...tile.quad.map(([, down]) => down));
        const size = Math.min(side(tile.quad[0], tile.quad[1]), side(tile.quad[1], tile.quad[2])) * 0.3;
        return svg(
          "g",
          { class: names.join(" "), "data-tile": tile.id },
          svg("polygon", { points: tile.quad.map((point) => point.join()).join(" ") }),
          tile.unsure &&
            svg(
              "g",
              { class: "mark", transform: `translate(${x} ${y}) scale(${size})` },
              svg("circle", { r: 1 }),
              svg("text", { "text-anchor": "middle", y: 0.5, "font-size": 1.5 }, "?"),
            ),
        );
      }),
    );
  }
}
