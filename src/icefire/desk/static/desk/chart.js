// The picture of risk and use: a point for each release, below the line what is accepted.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { in100, stepsText } from "./parts.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT] = [560, 360, 52, 44, 14, 22];
const TICKS = [0, 0.25, 0.5, 0.75, 1];

/** Small risks matter most, so the axis of risk is that of the square root. */
function place(trial, lowest) {
  const across = (trial.utility - lowest) / (1 - lowest || 1);
  return { x: LEFT + across * (WIDTH - LEFT - RIGHT), y: heightOf(trial.risk) };
}

function heightOf(risk) {
  return HEIGHT - BOTTOM - Math.sqrt(Math.min(1, Math.max(0, risk))) * (HEIGHT - BOTTOM - TOP);
}

export function chart({ trials, limit, chosen, look }) {
  const drawn = trials.filter(({ utility }) => utility !== null);
  const lowest = Math.min(0.9, ...drawn.map(({ utility }) => Math.floor(10 * utility) / 10));
  return h(
    "div",
    { class: "map", key: "chart" },
    h(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": say("desk.chart") },
      axes(lowest, limit),
      piles(drawn, lowest)
        .toReversed()
        .map((pile) => dots(pile, lowest, chosen, { limit, look })),
    ),
  );
}

/** Releases whose places are the same, to half a unit of the picture. */
function piles(trials, lowest) {
  const all = new Map();
  for (const trial of trials) {
    const { x, y } = place(trial, lowest);
    const key = `${Math.round(2 * x)} ${Math.round(2 * y)}`;
    all.set(key, [...(all.get(key) ?? []), trial]);
  }
  return [...all.values()];
}

/** A dot for each release of a pile; the uppermost says how many there are. */
function dots(pile, lowest, chosen, options) {
  return pile
    .map((trial, index) => {
      const count = index === 0 ? pile.length : 1;
      return point(trial, place(trial, lowest), chosen, { ...options, count });
    })
    .toReversed();
}

/** Where the label of a line stands: above it, or below at the upper end. */
function besideLine(y) {
  return y < 2 * TOP ? y + 15 : y - 5;
}

function axes(lowest, limit) {
  const low = HEIGHT - BOTTOM;
  const across = (share) => LEFT + share * (WIDTH - LEFT - RIGHT);
  const accepted = heightOf(limit);
  return h(
    "g",
    { key: "axes", "aria-hidden": "true" },
    h("rect", {
      class: "accepted",
      x: LEFT,
      y: accepted,
      width: WIDTH - LEFT - RIGHT,
      height: low - accepted,
    }),
    [0, 0.05, 0.25, 0.5, 1].map((risk) => [
      h("line", {
        key: `l${risk}`,
        class: "grid",
        x1: LEFT,
        x2: WIDTH - RIGHT,
        y1: heightOf(risk),
        y2: heightOf(risk),
      }),
      h(
        "text",
        { key: `t${risk}`, class: "axis end", x: LEFT - 6, y: heightOf(risk) + 4 },
        in100(risk),
      ),
    ]),
    TICKS.map((share) =>
      h(
        "text",
        { key: `u${share}`, class: "axis middle", x: across(share), y: low + 16 },
        in100(lowest + share * (1 - lowest)),
      ),
    ),
    h(
      "text",
      { class: "axis middle", x: across(0.5), y: HEIGHT - 6, key: "use" },
      say("desk.axis.use"),
    ),
    h("text", { class: "axis", x: LEFT + 6, y: TOP + 10, key: "risk" }, say("desk.axis.risk")),
    h(
      "text",
      { class: "limit end", x: WIDTH - RIGHT - 6, y: besideLine(accepted), key: "limit" },
      say("desk.axis.limit"),
    ),
  );
}

function kindOf({ stopped, risk, steps, suggested }, limit) {
  if (!steps.length) {
    return "original";
  }
  if (suggested) {
    return "suggested";
  }
  return !stopped && risk <= limit ? "passing" : "stopped";
}

function point(trial, { x, y }, chosen, { limit, look, count }) {
  const name = `${stepsText(trial.steps)}: ${in100(trial.risk)}, ${in100(trial.utility)}`;
  return h(
    "g",
    {
      key: `${trial.trial}`,
      class: `dot ${kindOf(trial, limit)}`,
      // The list has a button for each.
      role: "img",
      "aria-label": name,
      onclick: () => look(trial.trial),
    },
    h("title", {}, name),
    chosen === trial.trial && h("circle", { cx: x, cy: y, r: 12, class: "halo", key: "halo" }),
    h("circle", { cx: x, cy: y, r: trial.suggested || count > 1 ? 8 : 6, key: "dot" }),
    count > 1 && h("text", { class: "count middle", x, y: y + 4, key: "count" }, count),
  );
}
