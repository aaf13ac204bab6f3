// The audience's page: a scoreboard and a story that follow the contest as it happens, without
// reloading.

import { get } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { namesIn } from "../common/names.js";
import { showPage } from "../common/page.js";
import { refresher } from "../common/refresh.js";
import { listen } from "../common/stream.js";
import { firstOf, setChoice, taskChoice, tasksIn } from "./choices.js";
import { map } from "./map.js";
import { matrix } from "./matrix.js";
import { standings, withSlidingRows } from "./standings.js";
import { ticker } from "./story.js";

const state = { board: null, story: [], live: false, chosen: null, lost: false };

const draw = showPage({
  frame: () => ({ title: state.board?.name, board: state.board, lost: state.lost }),
  main,
  links: [
    ["/team", "for teams"],
    ["/operator", "for operators"],
  ],
});

const refresh = refresher(async () => {
  state.board = await get("/api/board");
  withSlidingRows(draw);
});

function main() {
  const { board, story, live } = state;
  if (board === null) {
    return [];
  }
  const names = namesIn(board);
  const tasks = tasksIn(board);
  const task = tasks.find((entry) => entry.key === state.chosen) ?? tasks[0];
  const first = firstOf(tasks, task.set);
  return [
    ranks(board, names),
    section("map", "map", [
      setChoice(tasks, first, choose),
      map({ board, story, task: first, names }),
    ]),
    section("matrix", "matrix", [taskChoice(tasks, task, choose), matrix({ board, task, names })]),
    section("story", "story", ticker({ story, names, live, severalSets: board.sets.length > 1 })),
  ];
}

function section(id, title, content) {
  return h(
    "section",
    { id, key: id, "aria-labelledby": `${id}-title` },
    heading(id, title),
    content,
  );
}

function heading(id, title) {
  return h("h2", { id: `${id}-title` }, say(title));
}

function ranks(board, names) {
  const defenders = board.ceremony.length ? board.ceremony : board.total.defenders;
  const { attackers } = board.total;
  return h(
    "section",
    { id: "standings", key: "standings", "aria-label": say("standings") },
    h("div", {}, heading("defenders", "defenders"), standings("defenders", defenders, names)),
    h("div", {}, heading("attackers", "attackers"), standings("attackers", attackers, names)),
  );
}

function choose(entry) {
  state.chosen = entry.key;
  draw();
}

function hear(items) {
  const last = lastHeard();
  // What happened before the page was opened is not read out.
  state.live = last > 0;
  state.story.push(...items.filter((item) => item.id > last));
  draw();
}

function lastHeard() {
  return state.story.at(-1)?.id ?? 0;
}

function forget() {
  state.story = [];
  draw();
}

function connected(open) {
  state.lost = !open;
  draw();
}

refresh();
const streams = { story: hear, board: refresh, reset: forget };
listen(() => `/api/stream?after=${lastHeard()}`, streams, connected);
