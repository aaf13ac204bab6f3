// The course of the contest: pause, open, close, extend, delay, freeze, unveil, finalize; and the
// schedule.

import { now, progress } from "../common/clock.js";
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
  const action = (name, key = name, more = {}) =>
    act.button({ name, key, path: `/api/operator/actions/${name}`, ...more });
  const minutes = () => ({ minutes: Number(document.getElementById("minutes").value) });
  const { state } = progress({ ...board, ceremony: null }, now());
  const isOver = state === "over" || state === "final";
  return [
    action(board.paused ? "resume" : "pause", "pause"),
    !isOver && action(board.phase ? "close" : "open", "open", { final: true }),
    action("extend", "extend", { content: minutes }),
    action("delay", "delay", { content: minutes }),
    action(board.frozen ? "thaw" : "freeze", "freeze", { final: board.frozen }),
    board.frozen && action("unveil_attacker", "unveil_attacker", { again: true }),
    board.frozen && action("unveil", "unveil", { again: true }),
    action("finalize", "finalize", { final: true }),
  ];
}

function schedule(board) {
  const freezes = board.freezes.map(({ round, at }) => ({ round, opens: at }));
  const inOrder = [...board.schedule, ...freezes].sort(
    (a, b) => Date.parse(a.opens) - Date.parse(b.opens),
  );
  return inOrder.map(({ round, phase, opens, closes }) => ({
    key: `${round}/${phase}`,
    cells: [
      String(round + 1),
      say(phase ? `phase.${phase}` : "schedule.freeze"),
      dateAndTime(opens),
      closes ? dateAndTime(closes) : "",
    ],
  }));
}
