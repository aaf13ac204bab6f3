// Scenes that take turns: how it works, who is on stage, standings, map, matrix, lessons, freeze.

import { tasksIn } from "../audience/choices.js";
import { markOf, outline } from "../audience/colours.js";
import { HALL, map as picture } from "../audience/map.js";
import { pagesIn, matrix as table } from "../audience/matrix.js";
import { begun, standings as list, sizeOf } from "../audience/standings.js";
import { measured } from "../audience/story.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { term } from "../common/terms.js";
import { gauge } from "./gauge.js";
import { generalLesson, lessonOf } from "./lessons.js";
import { latestRelease } from "./tales.js";

export function opening() {
  const lines = ["ice", "fire", "judge"].map((who) =>
    h("p", { key: who, class: `rule ${who}` }, say(`opening.${who}`)),
  );
  return { title: say("scene.opening"), wide: true, content: h("div", { class: "card" }, lines) };
}

export function lineup({ board, story, names }) {
  const teams = board.teams.filter((team) => !team.withdrawn);
  const cards = teams.map((team) => ({ team, release: latestRelease(team.id, story) }));
  const count = cards.filter(({ release }) => release).length;
  return {
    title: say("scene.lineup"),
    wide: true,
    content: [
      h("p", { key: "count", class: "large" }, say("lineup.count", { n: count, of: teams.length })),
      h(
        "ul",
        { key: "lineup", class: `slots ${sizeOf(teams.length)}` },
        cards.map(({ team, release }) => cardOf({ board, team, release, names })),
      ),
    ],
  };
}

function cardOf({ board, team, release, names }) {
  const { worth, metric } = measured(release ?? {});
  return h(
    "li",
    { key: team.id, class: release ? "slot there" : "slot" },
    h("p", { class: "entrant" }, mark(board, team.id), names(team.id)),
    release
      ? [h("p", { key: "worth" }, `${metric} ${worth}`), gauge(release.worth, false)]
      : h("p", { key: "waiting", class: "soft" }, say("lineup.waiting")),
  );
}

/** The mark by which a team is found on the map. */
function mark(board, team) {
  const { colour, shape } = markOf(board, team);
  return h(
    "svg",
    { class: "mark", viewBox: "-13 -13 26 26", "aria-hidden": "true" },
    h("path", { d: outline(shape, 10), fill: colour }),
  );
}

export function map({ board, story, names, scene }) {
  const tasks = tasksIn(board).filter((task) => task.first);
  const task = tasks[(scene.turn ?? 0) % tasks.length];
  return {
    title: `${say("map")}${named(tasks, task.set)}`,
    content: picture({ board, story, task, names, size: HALL }),
  };
}

export function matrix({ board, names, beat }) {
  const pages = tasksIn(board).flatMap((task) =>
    Array.from({ length: pagesIn(board, task) }, (_, page) => ({ task, page })),
  );
  const index = beat % pages.length;
  const { task, page } = pages[index];
  const of = pages.length > 1 ? ` ${say("page of", { page: index + 1, pages: pages.length })}` : "";
  return {
    title: `${say("matrix")}${named(tasksIn(board), task.set, task.name)}${of}`,
    wide: true,
    content: table({ board, task, names, page }),
  };
}

function named(tasks, ...parts) {
  return tasks.length > 1 ? ` · ${parts.map(term).join(" · ")}` : "";
}

export function standings({ board, names }) {
  return { title: say("standings"), wide: true, content: bothLists(board.total, names) };
}

function bothLists(total, names) {
  return h(
    "div",
    { class: "both" },
    column("defenders", total.defenders, names),
    column("attackers", begun(total.attackers), names),
  );
}

function column(id, rows, names) {
  return h("div", { key: id }, h("h3", {}, say(id)), list(`all-${id}`, rows, names));
}

export function lesson({ story, scene }) {
  const methods = [...new Set(story.filter((item) => item.method).map((item) => item.method))];
  const found = [...new Set(methods.map(lessonOf).filter(Boolean))];
  const turn = scene.turn ?? 0;
  // What was seen on the stage, and what holds everywhere, in turns.
  const key =
    turn % 2 === 0 && found.length
      ? found[(turn / 2) % found.length]
      : generalLesson(Math.floor(turn / 2));
  return {
    title: say("scene.lesson"),
    content: h("div", { class: "card" }, h("p", { class: "quote" }, say(key))),
  };
}

export function freeze({ board, names }) {
  return {
    title: say("scene.freeze"),
    wide: true,
    content: [
      h("p", { key: "text", class: "large" }, say(board.phase ? "freeze.text" : "freeze.end")),
      bothLists(board.total, names),
    ],
  };
}
