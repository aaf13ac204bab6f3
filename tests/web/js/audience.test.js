import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { firstOf, taskChoice, tasksIn } from "../../../src/icefire/web/static/audience/choices.js";
import { HALL, map, PAGE } from "../../../src/icefire/web/static/audience/map.js";
import { matrix } from "../../../src/icefire/web/static/audience/matrix.js";
import { pathsOf } from "../../../src/icefire/web/static/audience/paths.js";
import { shareOfBest } from "../../../src/icefire/web/static/audience/standings.js";
import { sentence } from "../../../src/icefire/web/static/audience/story.js";
import { bannerOf } from "../../../src/icefire/web/static/common/banner.js";
import { h } from "../../../src/icefire/web/static/common/dom.js";
import { setLanguage } from "../../../src/icefire/web/static/common/language.js";
import { namesIn } from "../../../src/icefire/web/static/common/names.js";
import { elements } from "./document.js";

const tasks = sample("tasks");
const unbounded = sample("unbounded");

function sample(name) {
  return JSON.parse(readFileSync(new URL(`samples/${name}.json`, import.meta.url), "utf8"));
}

function texts(description, tag) {
  return elements(description, tag).map((node) => node.textContent);
}

function drawnMatrix({ board }, key) {
  const task = tasksIn(board).find((entry) => entry.key === key);
  return h("div", {}, matrix({ board, task, names: namesIn(board) }));
}

function drawnMap({ board, story }, set) {
  return map({ board, story, task: firstOf(tasksIn(board), set), names: namesIn(board) });
}

test("the matrix shows one task at a time, with those who attacked in it", () => {
  const users = drawnMatrix(tasks, "purchases/users");
  assert.deepEqual(texts(users, "th"), [
    "Haru",
    "Natsu",
    "Judge: mean prices",
    "Aki",
    "Haru",
    "Natsu",
  ]);
  assert.deepEqual(texts(users, "td"), [
    "",
    "0.67",
    "",
    "0.89",
    "",
    "0.36",
    "0.50",
    "",
    "",
    "0.09",
  ]);
  const months = drawnMatrix(tasks, "purchases/months");
  assert.deepEqual(texts(months, "th"), ["Haru", "Natsu", "Aki", "Haru", "Natsu"]);
  assert.deepEqual(texts(months, "td"), ["", "0.58", "", "", "0.28", "", ""]);
});

test("answers whose score is not public yet are ticked", () => {
  const board = structuredClone(tasks.board);
  board.rounds[0].cells = [];
  board.rounds[0].answered = [["aki", "purchases", "haru"]];
  assert.deepEqual(texts(drawnMatrix({ board }, "purchases/users"), "td"), ["", "✓", "", ""]);
});

test("there is a choice only between several tasks", () => {
  const choice = ({ board }) => taskChoice(tasksIn(board), tasksIn(board)[0], () => {});
  assert.equal(choice(unbounded), null);
  const names = ["purchases · users", "purchases · months", "visits · places"];
  assert.deepEqual(texts(choice(tasks), "button"), names);
  const pressed = elements(choice(tasks), "button").map(
    (button) => button.attributes["aria-pressed"],
  );
  assert.deepEqual(pressed, ["true", "false", "false"]);
});

test("an unbounded utility has an axis of its values, named, the better end to the right", () => {
  const picture = drawnMap(unbounded, "households");
  const labels = texts(picture, "text");
  assert.deepEqual(labels.slice(0, 4), ["0", "1,000", "2,000", "3,000"]);
  assert.ok(labels.includes("utility: error of means (lower is better) →"));
  const points = elements(picture, "g").filter((node) => node.attributes.class === "point");
  const across = points.map((node) =>
    Number(node.style.transform.match(/translate\(([\d.]+)px/)[1]),
  );
  const [ine, mugi, awa] = across;
  assert.ok(ine < mugi && mugi < awa, `${across}`);
});

test("a release that was not attacked lies at the top, and says so", () => {
  const titles = texts(drawnMap(unbounded, "households"), "title");
  assert.equal(titles[0], "Ine: error of means 2,021 (lower is better); safety: 0.80");
  assert.equal(
    titles[1],
    "Mugi: error of means 410 (lower is better); safety: not attacked yet, as safe as can be",
  );
});

/** A contest with a release for each pair of a loss and a risk. */
function contestOf(scores) {
  const score = (value) => ({ value, better: "lower", range: [0, 1], good: 1 - value });
  const teams = scores.map((_, index) => ({ id: `t${index}`, name: `Team ${index}` }));
  const story = scores.map(([loss, risk], index) => ({
    id: index + 1,
    what: "released",
    team: `t${index}`,
    set: "households",
    metric: "information_loss",
    worth: score(loss),
    safety: score(risk),
  }));
  const releases = teams.map(({ id }) => ({ team: id, set: "households", measures: {} }));
  const sets = [{ name: "households", utility: ["information_loss"], tasks: ["identity"] }];
  return { story, board: { teams, sets, rounds: [{ name: "final", sets: [], releases }] } };
}

/** Numbers from 0 to 1 that look like chance, the same in every run. */
function* chances(seed) {
  for (let state = seed; ; state = (state * 48271) % 2147483647) {
    yield state / 2147483647;
  }
}

const PLACES = {
  "at the same place": () => [0.2, 0.5],
  "at three places": (index) => [0.1 + 0.1 * (index % 3), 0.3 * (index % 3)],
  "at the upper edge": (index) => [0.02 * (index % 2), 0],
  anywhere: (_, next) => [0.4 * next(), next()],
  "close together": (_, next) => [0.2 + 0.02 * next(), 0.5 + 0.02 * next()],
};

for (const [size, name] of [
  [HALL, "hall"],
  [PAGE, "page"],
]) {
  for (const [where, place] of Object.entries(PLACES)) {
    test(`every release ${where} is drawn where its scores are, on a ${name}`, () => {
      const source = chances(20261119);
      const next = () => source.next().value;
      const scores = Array.from({ length: 24 }, (_, index) => place(index, next));
      const { board, story } = contestOf(scores);
      const names = namesIn(board);
      const picture = map({ board, story, task: tasksIn(board)[0], names, size });
      const points = elements(picture, "g").filter(
        ({ attributes }) => attributes.class === "point",
      );
      assert.equal(points.length, scores.length);
      const at = points.map(({ style }) => style.transform.match(/[\d.]+(?=px)/g).map(Number));
      sameScale(at, scores);
      for (const point of points) {
        drawnAtItsPlace(point);
      }
      // Two that cannot be told apart are counted.
      const shown = elements(picture, "text").filter(
        ({ attributes }) => attributes.class === "count",
      );
      const counted = shown.map(({ textContent }) => Number(textContent.match(/×(\d+)$/)[1]));
      const covered = at.filter(([x, y], index) =>
        at.some(
          ([a, b], other) => other !== index && Math.hypot(a - x, b - y) < size.radius / 2 - 1e-6,
        ),
      );
      assert.equal(
        counted.reduce((sum, number) => sum + number, 0),
        covered.length,
      );
    });
  }
}

/** Fail unless places in the picture differ exactly as the scores do. */
function sameScale(places, scores) {
  for (const axis of [0, 1]) {
    const [one, other] = [0, 1].map((end) => extreme(scores, axis, end));
    const scale =
      (places[other][axis] - places[one][axis]) / (scores[other][axis] - scores[one][axis] || 1);
    assert.ok(scale < 0 === (axis === 0) || scale === 0, `${scale}`);
    for (const [index, place] of places.entries()) {
      const expected = places[one][axis] + scale * (scores[index][axis] - scores[one][axis]);
      assert.ok(Math.abs(place[axis] - expected) < 0.01, `${index}: ${place[axis]} ${expected}`);
    }
  }
}

function extreme(scores, axis, end) {
  const values = scores.map((score) => score[axis]);
  return values.indexOf(end ? Math.max(...values) : Math.min(...values));
}

/** Fail unless the mark is at the point, or a line leads from the point to the mark. */
function drawnAtItsPlace(point) {
  const inside = (tag) => {
    const all = (node) => [node, ...node.childNodes.flatMap(all)];
    return all(point).filter((node) => node.tag === tag);
  };
  const [mark] = inside("path");
  if (mark.parent === point) {
    return;
  }
  const [x, y] = mark.parent.attributes.transform.match(/-?[\d.]+/g).map(Number);
  const [{ attributes: line }] = inside("line");
  assert.deepEqual([line.x1, line.y1], ["0", "0"]);
  assert.ok(Math.hypot(x - line.x2, y - line.y2) < 12, "the line ends at the mark");
  assert.equal(inside("circle").length, 1, "a dot marks the point");
}

test("the map shows releases of one set that count", () => {
  assert.deepEqual(texts(drawnMap(tasks, "visits"), "title").length, 1);
  const board = structuredClone(tasks.board);
  board.rounds[0].releases = board.rounds[0].releases.filter(({ team }) => team !== "aki");
  const shown = texts(drawnMap({ ...tasks, board }, "purchases"), "title");
  assert.deepEqual(
    shown.map((text) => text.split(":")[0]),
    ["Haru", "Natsu"],
  );
});

test("paths begin anew with the defence of a round, and repeat no point", () => {
  const [first] = tasks.story.filter((item) => item.what === "released");
  assert.deepEqual(pathsOf([first, first], "purchases").get("haru"), [first]);
  const reopened = { what: "phase_opened", phase: "defence", round: "final" };
  assert.equal(pathsOf([first, reopened], "purchases").size, 0);
});

test("bars compare with the best, whichever way is good", () => {
  assert.equal(shareOfBest(0.4, 0.8), 0.5);
  assert.equal(shareOfBest(5, 2.5), 0.5);
  assert.equal(shareOfBest(0, 0, 0), 0);
  assert.equal(shareOfBest(0, 0, 4), 1);
  assert.equal(shareOfBest(0, 3), 0);
  assert.equal(shareOfBest(null, 3), 0);
  assert.equal(shareOfBest(null, null), 0);
});

test("the story is told in both languages", () => {
  const told = (sampleOf, number) => sentence(sampleOf.story[number - 1], namesIn(sampleOf.board));
  assert.equal(told(unbounded, 3), "Ine has a new release of households (error of means 2,021)");
  assert.equal(told(tasks, 2), "Haru has a new release of purchases (utility 0.60)");
  assert.equal(
    told(unbounded, 7),
    "The judge lowered Ine's safety to 0.95 with ranks of summed amounts",
  );
  assert.equal(told(unbounded, 9), "Ine lowered Awa's safety from 0.10 to 0.05");
  assert.equal(told(tasks, 1), "Defence is open (contest)");
  const item = { ...unbounded.story[8], method: "home regions of my own" };
  assert.equal(
    sentence(item, namesIn(unbounded.board)),
    "Ine lowered Awa's safety from 0.10 to 0.05 with home regions of my own",
  );
  setLanguage("ja");
  assert.equal(told(unbounded, 9), "Ine が Awa の安全性を 0.10 から 0.05 に下げました");
  setLanguage("en");
});

test("every item that the server tells has a sentence", () => {
  const items = [
    "joined",
    "phase_opened",
    "phase_closed",
    "rescheduled",
    "paused",
    "resumed",
    "frozen",
  ];
  items.push("thawed", "finalized", "answered", "ruled", "awarded");
  for (const what of items) {
    assert.doesNotMatch(sentence({ what }, String), /story\./);
  }
  const unveiled = { what: "unveiled", of: "attack", team: "Aoi", rank: 2.5, alike: 2 };
  assert.equal(sentence(unveiled, String), "Attackers, place 2=: Aoi");
});

test("the banner says the most important thing", () => {
  const quiet = {
    ceremony: { defenders: [], attackers: [] },
    paused: false,
    frozen: false,
    final: false,
  };
  assert.equal(bannerOf(null, false), null);
  assert.equal(bannerOf(quiet, false), null);
  assert.equal(bannerOf({ ...quiet, frozen: true, paused: true }, false), "paused");
  assert.equal(
    bannerOf({ ...quiet, frozen: true, ceremony: { attackers: [{}] } }, false),
    "unveiling",
  );
  assert.equal(bannerOf({ ...quiet, final: true }, false), "final");
  assert.equal(bannerOf({ ...quiet, final: true }, true), "lost");
});
