// A picture of utility against safety: every release of a set, and the way that it has come.

import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { axisOf } from "../common/scale.js";
import { betterText, shown } from "../common/score.js";
import { pathsOf } from "./paths.js";

const [WIDTH, HEIGHT, LEFT, BOTTOM, MARGIN] = [640, 420, 60, 46, 22];
const COLOURS = [
  "#2f7fc9",
  "#cf4f2a",
  "#2f8a57",
  "#a87412",
  "#7a5cc0",
  "#c2477f",
  "#1f8f93",
  "#7b8794",
];
const LABEL = {
  letters: 14,
  letter: 9,
  gap: 12,
  line: 15,
  steps: [-10, 20, -26, 36, -42, 52, -58, 68],
};

export function map({ board, story, task, names }) {
  const paths = [...pathsOf(story, task.set)].filter(([team]) => counts(board, team, task.set));
  const axes = axesOf(paths.flatMap(([, path]) => path));
  const metrics = { worth: paths[0]?.[1].at(-1).metric, safety: task.name };
  const taken = [];
  const points = paths.map(([team, path]) => {
    const colour = colourOf(board, team);
    return release({ team, name: names(team), colour, path, axes, taken });
  });
  const attributes = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": say("map") };
  return h("svg", attributes, grid(axes), axisNames(axes, metrics), points);
}

/** Whether a team's release of a set is valid and in the current round. */
function counts(board, team, set) {
  const releases = board.rounds.at(-1)?.releases ?? [];
  return releases.some((release) => release.team === team && release.set === set);
}

function colourOf(board, team) {
  return COLOURS[board.teams.findIndex(({ id }) => id === team) % COLOURS.length];
}

/**
 * Both axes, with functions from a point to its place in the picture. A release is safe until it is
 * attacked.
 */
function axesOf(points) {
  const worth = axisOf(points.map((point) => point.worth));
  const safety = axisOf(points.map((point) => point.safety).filter((score) => score !== null));
  return {
    worth,
    safety,
    x: (point) => across(worth.place(point.worth)),
    y: (point) => upwards(point.safety === null ? 1 : safety.place(point.safety)),
  };
}

function across(share) {
  return LEFT + share * (WIDTH - LEFT - MARGIN);
}

function upwards(share) {
  return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - MARGIN);
}

function grid({ worth, safety }) {
  const columns = worth.ticks.map(({ place, value }) => {
    const x = across(place);
    const text = { class: "axis", x, y: upwards(0) + 18, "text-anchor": "middle" };
    return [
      h("line", { class: "grid", x1: x, x2: x, y1: upwards(0), y2: upwards(1) }),
      h("text", text, number(value, worth.decimals)),
    ];
  });
  const rows = safety.ticks.map(({ place, value }) => {
    const y = upwards(place);
    const text = { class: "axis", x: LEFT - 8, y: y + 4, "text-anchor": "end" };
    return [
      h("line", { class: "grid", x1: across(0), x2: across(1), y1: y, y2: y }),
      h("text", text, number(value, safety.decimals)),
    ];
  });
  return h("g", { key: "grid" }, columns, rows);
}

function axisNames(axes, metrics) {
  const utility = axisName("utility", axes.worth, metrics.worth);
  const safety = axisName("safety", axes.safety, metrics.safety);
  return h(
    "g",
    { key: "names" },
    h("text", { class: "axis", x: across(1), y: HEIGHT - 4, "text-anchor": "end" }, `${utility} →`),
    h("text", { class: "axis", x: LEFT + 4, y: 14 }, `↑ ${safety}`),
  );
}

/** An axis of shares needs no metric; one of values says which they are, and which way is good. */
function axisName(name, { bounded, better }, metric) {
  return bounded
    ? say(name)
    : say("axis", { name: say(name), metric, better: say(`better.${better}`) });
}

function release({ team, name, colour, path, axes, taken }) {
  const end = path.at(-1);
  const [x, y] = [axes.x(end), axes.y(end)];
  const points = path.map((point) => `${axes.x(point)},${axes.y(point)}`).join(" ");
  return h(
    "g",
    { key: team, "data-team": team },
    h("polyline", { class: "path", points }),
    h(
      "g",
      { class: "point", style: { transform: `translate(${x}px, ${y}px)` } },
      h("circle", { r: 8, fill: colour }, h("title", {}, tooltip(name, end))),
      label(shortened(name), { x, y }, taken),
    ),
  );
}

function shortened(name) {
  const letters = [...name];
  return letters.length > LABEL.letters ? `${letters.slice(0, LABEL.letters - 1).join("")}…` : name;
}

/** The name beside a point, on the side and at a height where there is room. */
function label(name, { x, y }, taken) {
  const width = LABEL.gap + LABEL.letter * [...name].length;
  const toTheLeft = x + width > WIDTH;
  const [from, to] = toTheLeft ? [x - width, x] : [x, x + width];
  const beside = taken.filter((other) => other.to > from && other.from < to);
  const height = freeHeight(y, beside);
  taken.push({ from, to, height });
  const anchor = { "text-anchor": toTheLeft ? "end" : "start" };
  return h("text", { x: toTheLeft ? -LABEL.gap : LABEL.gap, y: height - y, ...anchor }, name);
}

/** A height near `y` at which no other label lies: above, below, further above, and so on. */
function freeHeight(y, others) {
  const inside = (height) => height > 10 && height < HEIGHT - BOTTOM;
  const free = (height) => others.every((other) => Math.abs(other.height - height) > LABEL.line);
  const heights = LABEL.steps.map((step) => y + step).filter(inside);
  return heights.find(free) ?? heights[0];
}

function tooltip(name, { metric, worth, safety }) {
  const utility = `${metric} ${number(worth.value)} (${betterText(worth)})`;
  const left = safety === null ? say("not attacked") : number(shown(safety));
  return `${name}: ${utility}; ${say("safety")}: ${left}`;
}
