// A map of the grid: the more often a region is visited, the stronger its colour.

import { h } from "../common/dom.js";
import { number } from "../common/format.js";

/** Regions count from the lower left, row by row, as in the schema. */
export function gridMap({ rows, columns }, visits, label) {
  const most = Math.max(1, ...visits);
  const cell = (count, place) =>
    h(
      "rect",
      {
        key: `${place}`,
        x: place % columns,
        y: rows - 1 - Math.floor(place / columns),
        width: 0.94,
        height: 0.94,
        style: { opacity: String(count ? 0.15 + 0.85 * Math.sqrt(count / most) : 0.05) },
      },
      h("title", {}, `${place + 1}: ${number(count, count % 1 ? 1 : 0)}`),
    );
  return h(
    "figure",
    { class: "grid-map" },
    h("figcaption", {}, label),
    h(
      "svg",
      { viewBox: `0 0 ${columns} ${rows}`, role: "img", "aria-label": label },
      visits.map(cell),
    ),
  );
}
