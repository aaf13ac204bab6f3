import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { firstOf, taskChoice, tasksIn } from "../../../src/icefire/web/static/audience/choices.js";
import { map } from "../../../src/icefire/web/static/audience/map.js";
import { matrix } from "../../../src/icefire/web/static/audience/matrix.js";
import { pathsOf } from "../../../src/icefire/web/static/audience/paths.js";
import { shareOfBest } from "../../../src/icefire/web/static/audience/standings.js";
import { sentence } from "../../../src/icefire/web/static/audience/story.js";
import { bannerOf } from "../../../src/icefire/web/static/common/banner.js";
import { h, update } from "../../../src/icefire/web/static/common/dom.js";
import { setLanguage } from "../../../src/icefire/web/static/common/language.js";
import { namesIn } from "../../../src/icefire/web/static/common/names.js";
import "./document.js";

const tasks = sample("tasks");
const unbounded = sample("unbounded");

function sample(name) {
  return JSON.parse(readFileSync(new URL(`samples/${name}.json`, import.meta.url), "utf8"));
}

/** All elements of a description with a tag, drawn. */
function elements(description, tag) {
  const root = globalThis.document.createElement("div");
  update(root, [description]);
  const all = (node) => [node, ...node.childNodes.flatMap(all)];
  return all(root).filter((node) => node.tag === tag);
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
