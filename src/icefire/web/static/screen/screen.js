// The big screen of a hall: it directs itself, scene by scene, and needs no hand.

import { parts } from "../audience/matrix.js";
import { begun, sizeOf, standings, withSlidingRows } from "../audience/standings.js";
import { sentence } from "../audience/story.js";
import { now } from "../common/clock.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { followContest } from "../common/live.js";
import { namesIn, shortened } from "../common/names.js";
import { showPage } from "../common/page.js";
import { speaker } from "../common/speaker.js";
import { beatOf, cue, direct, newDirector, nextScene, toldBy } from "./director.js";
import { leadChange, momentsOf } from "./moments.js";
import { SCENES } from "./scenes.js";

const TICK = 250;
const [ROWS, BESIDE] = [24, 5];
// How many lines of standings of a size there is room for beside the stage.
const LINES = { few: 8, some: 12, many: 0 };
const [COMMENTARY, LONGEST] = [2, 26];
const ANNOUNCED = 180_000;
const speak = speaker((text, n) => say("and others", { text, n }));
const view = { director: newDirector(), page: "", heard: 0 };
// Nothing is laid over these.
const SOLEMN = new Set(["unveiled", "podium", "fire"]);
const contest = followContest(changed);

const draw = showPage({
  frame: () => ({ title: contest.board?.name, board: contest.board, lost: contest.lost }),
  main,
  foot,
  tools: controls,
});

function changed({ before, items = [] }) {
  const { board, story } = contest;
  const moments = momentsOf(items, story.slice(0, story.length - items.length));
  const change = before && leadChange(before, board);
  cue(view.director, change ? [...moments, change] : moments, Date.now());
  if (board === null) {
    return;
  }
  if (!items.length && !view.heard) {
    view.heard = story.at(-1)?.id ?? 0;
  }
  withSlidingRows(draw);
}

/** Let screen readers hear what the commentary has come to. */
function narrate(told, names) {
  const news = told.filter(({ id }) => id > view.heard);
  view.heard = news.at(-1)?.id ?? view.heard;
  const sentences = news.map((item) => sentence(item, names));
  return speak(sentences, Date.now());
}

/** Look whether the next scene is due. */
function look() {
  if (contest.board) {
    const scene = direct(view.director, contest.board, Date.now());
    const page = `${scene.number} ${beatOf(scene, Date.now())}`;
    if (page !== view.page) {
      view.page = page;
      draw();
    }
  }
}

function main() {
  const { board, story } = contest;
  if (board === null) {
    return [];
  }
  const scene = direct(view.director, board, Date.now());
  const beat = beatOf(scene, Date.now());
  const names = namesIn(board);
  const { title, wide, content } = SCENES[scene.name]({ scene, beat, board, story, names });
  return [
    !SOLEMN.has(scene.name) && announcement(board),
    h(
      "section",
      { key: `scene ${scene.number}`, id: "scene", class: scene.name, "data-scene": scene.name },
      h("h2", { id: `${scene.name}-title` }, title),
      content,
    ),
    !wide && begun(board.total.defenders).length > 0 && beside(board, names, beat),
  ];
}

/** The standings beside the stage: all defenders, in turns if there are very many. */
function beside(board, names, beat) {
  const { defenders } = board.total;
  const attackers = begun(board.total.attackers);
  const pages = parts(defenders, ROWS);
  const page = pages[beat % pages.length];
  const room = Math.min(BESIDE, LINES[sizeOf(page.length)] - page.length);
  return h(
    "aside",
    { key: "beside", id: "beside", "aria-label": say("standings") },
    h("h2", {}, say("defenders")),
    standings("defenders", defenders, names, page),
    room > 1 &&
      attackers.length > 0 && [
        h("h2", { key: "title" }, say("attackers")),
        standings("attackers", attackers, names, attackers.slice(0, room)),
      ],
  );
}

function announcement({ announcements }) {
  const last = announcements.at(-1);
  return (
    last &&
    now() - Date.parse(last.at) < ANNOUNCED &&
    h(
      "p",
      { key: "announcement", id: "announcement", role: "status" },
      last.question && h("q", {}, last.question),
      last.question && " ",
      last.text,
    )
  );
}

function foot() {
  const { board, story } = contest;
  if (board === null) {
    return [];
  }
  const full = namesIn(board);
  const names = (id) => shortened(full(id), LONGEST);
  const told = toldBy(view.director, story);
  const lines = told.slice(-COMMENTARY).reverse();
  return [
    h(
      "ol",
      { id: "commentary", "aria-label": say("story") },
      lines.map((item) => h("li", { key: item.id, "data-id": item.id }, sentence(item, names))),
    ),
    h("p", { key: "spoken", class: "unseen", role: "status" }, narrate(told, full)),
  ];
}

function controls() {
  const { director } = view;
  const button = (id, key, onclick) =>
    h("button", { type: "button", key: id, id, onclick }, say(key));
  return [
    button("hold", director.held ? "go on" : "hold", hold),
    button("next", "next scene", advance),
    button("full", "full screen", fullScreen),
  ];
}

function hold() {
  view.director.held = !view.director.held;
  draw();
}

function advance() {
  if (contest.board) {
    nextScene(view.director, contest.board, Date.now());
    draw();
  }
}

async function fullScreen() {
  await (document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen());
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest?.("button")) {
    return;
  }
  const keys = { " ": hold, ArrowRight: advance, f: fullScreen };
  if (keys[event.key]) {
    event.preventDefault();
    keys[event.key]();
  }
});
setInterval(look, TICK);
