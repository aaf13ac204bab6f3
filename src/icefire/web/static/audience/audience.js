// The audience's page: a scoreboard and a story that follow the contest as it happens, without
// reloading.

import { announcements } from "../common/announcements.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { followContest } from "../common/live.js";
import { namesIn } from "../common/names.js";
import { showPage } from "../common/page.js";
import { speaker } from "../common/speaker.js";
import { firstOf, setChoice, taskChoice, tasksIn } from "./choices.js";
import { map } from "./map.js";
import { attackList, matrix } from "./matrix.js";
import { prizes } from "./prizes.js";
import { begun, standings, withSlidingRows } from "./standings.js";
import { sentence, ticker } from "./story.js";

const NARROW = matchMedia("(max-width: 820px)");
const speak = speaker((text, n) => say("and others", { text, n }));
const view = { chosen: null, spoken: "" };
const contest = followContest(changed);

const draw = showPage({
  frame: () => ({ title: contest.board?.name, board: contest.board, lost: contest.lost }),
  main,
  links: [
    ["/screen", "screen"],
    ["/team", "for teams"],
    ["/operator", "for operators"],
  ],
});
NARROW.addEventListener("change", draw);

function changed({ before, items = [] }) {
  if (contest.board) {
    const names = namesIn(contest.board);
    const sentences = items.map((item) => sentence(item, names));
    view.spoken = speak(sentences, Date.now());
  }
  if (before === undefined) {
    draw();
  } else {
    withSlidingRows(draw);
  }
}

function main() {
  const { board, story } = contest;
  if (board === null) {
    return [];
  }
  const names = namesIn(board);
  const tasks = tasksIn(board);
  const task = tasks.find((entry) => entry.key === view.chosen) ?? tasks[0];
  const first = firstOf(tasks, task.set);
  const table = NARROW.matches ? attackList : matrix;
  return [
    announcements(board),
    ranks(board, names),
    section("map", "map", [
      setChoice(tasks, first, choose),
      map({ board, story, task: first, names }),
    ]),
    section("matrix", "matrix", [taskChoice(tasks, task, choose), table({ board, task, names })]),
    section("story", "story", ticker({ story, names, severalSets: board.sets.length > 1 })),
    prizes(board, names),
    h("p", { key: "spoken", class: "unseen", role: "status" }, view.spoken),
  ];
}

function section(id, title, content) {
  return h(
    "section",
    { id, key: id, class: id, "aria-labelledby": `${id}-title` },
    heading(id, title),
    content,
  );
}

function heading(id, title) {
  return h("h2", { id: `${id}-title` }, say(title));
}

function ranks(board, names) {
  const { ceremony, total } = board;
  const unveiled = ceremony.defenders.length + ceremony.attackers.length;
  const { defenders, attackers } = unveiled
    ? ceremony
    : { defenders: begun(total.defenders), attackers: begun(total.attackers) };
  return h(
    "section",
    { id: "standings", key: "standings", "aria-label": say("standings") },
    h("div", {}, heading("defenders", "defenders"), standings("defenders", defenders, names)),
    h("div", {}, heading("attackers", "attackers"), standings("attackers", attackers, names)),
  );
}

function choose(entry) {
  view.chosen = entry.key;
  draw();
}
