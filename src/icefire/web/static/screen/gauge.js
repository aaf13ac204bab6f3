// Bars from 0 to 1: what is left, and what an attack has just burnt.

import { h } from "../common/dom.js";

/** A bar of a score's good share; with `before`, the part that was lost is seen burning. */
export function gauge(score, before = null) {
  if (!score || score.good === null) {
    return null;
  }
  const left = score.good;
  const lost = Math.max(0, (before ? (before.good ?? left) : 1) - left);
  return h(
    "div",
    { class: "gauge", "aria-hidden": "true" },
    h("span", { class: "left", style: { width: percent(left) } }),
    before !== false &&
      h("span", { class: "lost", style: { left: percent(left), width: percent(lost) } }),
  );
}

function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}
