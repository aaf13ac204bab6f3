// The course of the contest: pause, extend, delay, freeze, unveil, finalize; and the schedule.

import { h } from "../common/dom.js";
import { dateAndTime } from "../common/format.js";
import { say } from "../common/language.js";
import { table } from "../common/table.js";

const COLUMNS = ["round", "phase", "opens", "closes"];

export function control({ board, names, act }) {
  return h(
    "section",
    { key: "control" },
    h("h2", {}, say("control")),
    h(
      "div",
      { class: "row" },
      h(
        "label",
        {},
        say("why"),
        h("input", { id: "why", required: true, maxlength: 500, autocomplete: "off" }),
      ),
      h(
        "label",
        { class: "short" },
        say("minutes"),
        h("input", { id: "minutes", type: "number", min: 1, value: 10 }),
      ),
    ),
    h("p", { class: "row" }, buttons(board, act)),
    h("div", { id: "told", role: "status" }, act.outcome(names)),
    h("p", {}, say("queue", { n: board.waiting })),
    table({ columns: COLUMNS, rows: schedule(board), caption: say("schedule") }),
  );
}

function buttons(board, act) {
  // A button that turns into its opposite stays the same element, and keeps the focus.
  const action = (name, key = name, content = undefined) =>
    act.button({ name, key, content, path: `/api/operator/actions/${name}` });
  const minutes = () => ({ minutes: Number(document.getElementById("minutes").value) });
  return [
    action(board.paused ? "resume" : "pause", "pause"),
    action("extend", "extend", minutes),
    action("delay", "delay", minutes),
    action(board.frozen ? "thaw" : "freeze", "freeze"),
    board.frozen && action("unveil"),
    action("finalize"),
  ];
}

function schedule(board) {
  const inOrder = [...board.schedule].sort((a, b) => Date.parse(a.opens) - Date.parse(b.opens));
  return inOrder.map(({ round, phase, opens, closes }) => ({
    key: `${round}/${phase}`,
    cells: [String(round + 1), say(`phase.${phase}`), dateAndTime(opens), dateAndTime(closes)],
  }));
}
