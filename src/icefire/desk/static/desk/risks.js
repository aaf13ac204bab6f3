// The four risks of a release: a bar from 0 to 100% each, with its limit, and whose risk it is.

import { h } from "../common/dom.js";

const MARKS = { meets: "✓", exceeds: "!", unknown: "?", "not asked": "–" };

/** A row for each risk; `limitWord` stands before a limit. */
export function riskRows(rows, limitWord) {
  return h(
    "div",
    { class: "risks", key: "risks" },
    rows.map((row, place) => riskRow(row, `${place}`, row.limit && `${limitWord} ${row.limit}`)),
  );
}

function riskRow(row, key, limit) {
  return h(
    "div",
    { key },
    row.label ? h("h3", {}, row.label) : null,
    h(
      "div",
      { class: `risk ${row.status.replace(" ", "-")}` },
      bar(row),
      h("b", {}, row.risk),
      h("span", { class: "limit" }, limit),
      h(
        "span",
        { class: "status" },
        h("i", { "aria-hidden": true }, MARKS[row.status]),
        row.status_text,
      ),
      h("span", { class: "who" }, row.text),
    ),
  );
}

function bar({ share, interval, baseline, limit_share: limit }) {
  if (share === null) {
    return h("span", { class: "bar" });
  }
  const clip = (value) => 100 * Math.min(1, Math.max(0, value));
  const [low, high] = (interval ?? [share, share]).map(clip);
  return h(
    "svg",
    { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": true },
    box("track", 0, 100),
    limit !== null && box("allowed", 0, clip(limit)),
    h("rect", { class: "interval", key: "interval", x: low, y: 2, width: high - low, height: 6 }),
    baseline !== null && box("baseline", clip(baseline), 0.4),
    limit !== null && box("edge", clip(limit), 0.5),
    box("value", Math.min(98.6, Math.max(0, clip(share) - 0.7)), 1.4),
  );
}

function box(kind, x, width) {
  return h("rect", { class: kind, key: kind, x, y: 0, width, height: 10 });
}
