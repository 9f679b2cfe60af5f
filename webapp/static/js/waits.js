// Thirteen tiles: what completes them and for how much.

import { gettext, h, tileArt, tileName } from "./dom.js";

function winWith(tile, win) {
  return h(
    "button",
    {
      type: "button",
      class: "tile",
      "data-key": `wait-${tile}`,
      "aria-label": gettext("Win with %(tile)s", { tile: tileName(tile) }),
      onclick: () => win(tile),
    },
    tileArt(tile),
  );
}

// A table of the waits in an answer of /assess; `win` gets the tile that is tapped.
export function waitsTable({ waiting, under_minimum: under }, win) {
  const worth = (score) => {
    if (!score) return "–";
    return score.legal ? String(score.total) : `${score.total} (${under})`;
  };
  const row = (wait) =>
    h(
      "tr",
      { "data-wait": wait.tile },
      h("th", { scope: "row" }, winWith(wait.tile, win)),
      [String(wait.left), worth(wait.discard), worth(wait.self_drawn)].map((text) => h("td", {}, text)),
    );
  const heads = [gettext("Tile"), gettext("Left"), gettext("On a discard"), gettext("Self-drawn")];
  return h(
    "table",
    { class: "waits", id: "waits" },
    h("caption", {}, gettext("Ready. This hand waits for:")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((head) => h("th", { scope: "col" }, head)),
      ),
    ),
    h("tbody", {}, waiting.waits.map(row)),
  );
}
