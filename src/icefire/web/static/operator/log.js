// The log: who did what, and when.

import { h } from "../common/dom.js";
import { timeOfDay } from "../common/format.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["log.number", "log.time", "log.who", "log.event", "log.data"];
const LONGEST = 200;

/** The entries, the newest first. */
export function log(entries) {
  const rows = [...entries].reverse().map(({ seq, at, who, what, data }) => ({
    key: seq,
    cells: [String(seq), timeOfDay(at), who, what, h("code", {}, contentOf(what, data))],
  }));
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say("log") });
  return h("section", { key: "log", id: "log", class: "full" }, h("h2", {}, say("log")), content);
}

/** The first entry holds the whole configuration, which is not shown. */
function contentOf(what, data) {
  return what === "created" ? "" : JSON.stringify(data).slice(0, LONGEST);
}
