// A picture of utility against safety: every release of a set, and the way that it has come.

import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { shortNames, widthOf } from "../common/names.js";
import { axisOf } from "../common/scale.js";
import { betterText, scoreText } from "../common/score.js";
import { term } from "../common/terms.js";
import { markOf, outline } from "./colours.js";
import { pilesOf, placeLabels } from "./labels.js";
import { pathsOf } from "./paths.js";

/** Sizes of the picture: for a page and a phone, and for a hall. */
export const PAGE = {
  width: 640,
  height: 470,
  left: 58,
  bottom: 52,
  top: 34,
  font: 19,
  radius: 8,
  rings: 3,
};
export const HALL = {
  width: 1260,
  height: 760,
  left: 84,
  bottom: 74,
  top: 46,
  font: 26,
  radius: 12,
  rings: 9,
};
const [RIGHT, LONGEST, MANY] = [34, 16, 14];

export function map({ board, story, task, names, size = PAGE }) {
  const paths = [...pathsOf(story, task.set)].filter(([team]) => counts(board, team, task.set));
  const axes = axesOf(
    paths.flatMap(([, path]) => path),
    size,
  );
  const metrics = { worth: paths[0]?.[1].at(-1).metric, safety: task.name };
  const { releases, piles } = withLabels({ paths, axes, size, names });
  const attributes = {
    viewBox: `0 0 ${size.width} ${size.height}`,
    role: "img",
    "aria-label": say("map"),
    "font-size": size.font,
  };
  return h(
    "svg",
    attributes,
    grid(axes, size),
    axisNames(axes, metrics, size),
    releases.map((entry) => way(entry, axes, releases.length > MANY)),
    releases.map((entry) => release(entry, markOf(board, entry.team), size.radius)),
    piles.map(count),
  );
}

/** Whether a team's release of a set is valid and in the current round. */
function counts(board, team, set) {
  const releases = board.rounds.at(-1)?.releases ?? [];
  return releases.some((entry) => entry.team === team && entry.set === set);
}

/**
 * Both axes, with functions from a point to its place in the picture. A release is safe until it is
 * attacked.
 */
function axesOf(points, size) {
  const worth = axisOf(
    points.map((point) => point.worth),
    true,
  );
  const safety = axisOf(points.map((point) => point.safety).filter((score) => score !== null));
  const across = (share) => size.left + share * (size.width - size.left - RIGHT);
  const upwards = (share) => size.height - size.bottom - share * plotHeight(size);
  return {
    worth,
    safety,
    across,
    upwards,
    x: (point) => across(worth.place(point.worth)),
    y: (point) => upwards(point.safety === null ? 1 : safety.place(point.safety)),
  };
}

function plotHeight(size) {
  return size.height - size.bottom - size.top;
}

/**
 * Releases with their points, at their scores, and labels; and how many lie on each other, where
 * they do.
 */
function withLabels({ paths, axes, size, names }) {
  const short = shortNames(
    paths.map(([team]) => team),
    names,
    LONGEST,
  );
  const [points, piles] = pointsOf(paths, axes, size, short);
  const area = { left: axes.across(0), right: size.width, top: 0, bottom: axes.upwards(0) };
  const safety = { x: size.left - 40, y: size.font, text: `↑ ${say("safety")}` };
  const texts = [...corners(axes, size), safety].map(boxOf(size));
  const titles = paths.map(([team, path]) => tooltip(names(team), path.at(-1)));
  const numbers = piles.map((pile) => ({
    ...points[pile[0]],
    pile: null,
    width: 1.5 * size.font,
    text: `×${pile.length}`,
    title: pile.map((index) => titles[index]).join("\n"),
  }));
  const labels = placeLabels([...numbers, ...points], area, { ...size, texts });
  return {
    piles: numbers.map((pile, index) => ({ ...pile, label: labels[index] })),
    releases: paths.map(([team, path], index) => ({
      team,
      path,
      point: points[index],
      label: labels[numbers.length + index],
      text: short.get(team),
      title: titles[index],
    })),
  };
}

/** Points with the sizes of their labels, in which those of a pile have a mark; and the piles. */
function pointsOf(paths, axes, { font, radius }, short) {
  const points = paths.map(([team, path]) => ({
    x: axes.x(path.at(-1)),
    y: axes.y(path.at(-1)),
    width: 0.62 * font * (widthOf(short.get(team)) + 0.6),
    height: 1.15 * font,
  }));
  const piles = pilesOf(points, radius / 2);
  for (const index of piles.flat()) {
    points[index].pile = true;
    points[index].width += 2.25 * radius;
  }
  return [points, piles];
}

function grid({ worth, safety, across, upwards }, { font, left }) {
  const columns = worth.ticks.map(({ place, value }) => {
    const x = across(place);
    const text = { class: "axis", x, y: upwards(0) + 1.35 * font, "text-anchor": "middle" };
    return [
      h("line", { class: "grid", x1: x, x2: x, y1: upwards(0), y2: upwards(1) }),
      h("text", text, number(value, worth.decimals)),
    ];
  });
  const rows = safety.ticks.map(({ place, value }) => {
    const y = upwards(place);
    // The lowest one stands on the line: below it, the first column has its number.
    const text = { class: "axis", x: left - 8, y: place ? y + font / 3 : y, "text-anchor": "end" };
    return [
      h("line", { class: "grid", x1: across(0), x2: across(1), y1: y, y2: y }),
      h("text", text, number(value, safety.decimals)),
    ];
  });
  return h("g", { key: "grid" }, columns, rows);
}

function axisNames(axes, metrics, size) {
  const { left, height, font } = size;
  const { across } = axes;
  const utility = axisName("utility", axes.worth, metrics.worth);
  const safety = axisName("safety", axes.safety, metrics.safety);
  return h(
    "g",
    { key: "names" },
    h(
      "text",
      { class: "axis", x: across(1), y: height - font / 3, "text-anchor": "end" },
      `${utility} →`,
    ),
    h("text", { class: "axis", x: left - 40, y: font }, `↑ ${safety}`),
    corners(axes, size).map(({ key, x, y, anchor, text }) =>
      h("text", { key, class: "corner", x, y, "text-anchor": anchor }, text),
    ),
  );
}

/** What it means to lie in a corner of the picture. */
function corners({ across, upwards }, { font }) {
  const [high, low] = [upwards(1) + 1.3 * font, upwards(0) - font / 2];
  return [
    { key: "best", x: across(1) - 8, y: high, anchor: "end", text: say("map.best") },
    { key: "exposed", x: across(1) - 8, y: low, anchor: "end", text: say("map.exposed") },
    { key: "worthless", x: across(0) + 8, y: high, anchor: "start", text: say("map.worthless") },
  ];
}

function boxOf({ font }) {
  return ({ x, y, anchor, text }) => {
    const width = 0.55 * font * widthOf(text);
    const left = anchor === "end" ? x - width : x;
    return { left, right: left + width, top: y - font, bottom: y + 0.3 * font };
  };
}

/** An axis of shares needs no metric; one of values says which they are, and which way is good. */
function axisName(name, { bounded, better }, metric) {
  return bounded
    ? say(name)
    : say("axis", { name: say(name), metric: term(metric), better: say(`better.${better}`) });
}

/** The way of a release; where there are many of them, its last step. */
function way({ team, path }, axes, many) {
  const steps = many ? path.slice(-2) : path;
  const points = steps.map((point) => `${axes.x(point)},${axes.y(point)}`).join(" ");
  return h("polyline", { key: `way ${team}`, class: "path", points });
}

function release({ team, point, label, text, title }, { colour, shape }, radius) {
  const near = label && { x: label.x - point.x, y: label.y - point.y };
  const aside = near && point.pile;
  const mark = (size) =>
    h("path", { d: outline(shape, size), fill: colour }, h("title", {}, title));
  return h(
    "g",
    {
      key: team,
      "data-team": team,
      class: "point",
      style: { transform: `translate(${point.x}px, ${point.y}px)` },
    },
    aside
      ? member({ near, point, text, radius: 0.75 * radius, colour }, mark(0.75 * radius))
      : single(near, point, text, mark(radius)),
  );
}

function single(near, point, text, mark) {
  return [
    near && leader(near, point),
    mark,
    near && h("text", { x: near.x, y: baseline(near, point), "text-anchor": "middle" }, text),
  ];
}

/** One of a pile: a dot where it lies, and a line from there to its mark and its name. */
function member({ near, point, text, radius, colour }, mark) {
  const side = Math.sign(near.x);
  const edge = near.x - (side * point.width) / 2;
  const x = edge + side * radius;
  return [
    h("line", { class: "leader", x1: 0, y1: 0, x2: edge, y2: near.y, style: { stroke: colour } }),
    h("circle", { class: "spot", r: radius / 2 }),
    h("g", { transform: `translate(${x},${near.y})` }, mark),
    h(
      "text",
      {
        x: x + side * 1.5 * radius,
        y: baseline(near, point),
        "text-anchor": side > 0 ? "start" : "end",
      },
      text,
    ),
  ];
}

function baseline(near, { height }) {
  return near.y + height * 0.32;
}

/** How many releases lie on each other. */
function count({ x, y, height, label, text, title }) {
  const at = label ?? { x, y };
  return h(
    "text",
    {
      key: `count ${title}`,
      class: "count",
      x: at.x,
      y: baseline(at, { height }),
      "text-anchor": "middle",
    },
    h("title", {}, title),
    text,
  );
}

/** A line from a point to a label that lies further away. */
function leader({ x, y }, { width, height }) {
  const edge = { x: x - Math.sign(x) * Math.min(Math.abs(x), width / 2), y };
  const far = Math.hypot(edge.x, Math.max(0, Math.abs(y) - height / 2)) > 2 * height;
  return far && h("line", { class: "leader", x1: 0, y1: 0, x2: edge.x, y2: edge.y });
}

function tooltip(name, { metric, worth, safety }) {
  const utility = `${term(metric)} ${number(worth.value)} (${betterText(worth)})`;
  const left = safety === null ? say("not attacked") : scoreText(safety);
  return `${name}: ${utility}; ${say("safety")}: ${left}`;
}
