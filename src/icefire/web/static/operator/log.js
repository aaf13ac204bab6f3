// The log: who did what, and when.

import { h } from "../common/dom.js";
import { timeOfDay } from "../common/format.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["log.number", "log.time", "log.who", "log.event", "log.data"];
const LONGEST = 300;
const SHOWN = [
  ...["name", "round", "phase", "prize", "of", "place", "kind", "team", "target", "set", "attack"],
  ...["method", "upload", "bytes", "decision", "faults", "reference", "job", "message", "what"],
  ...["question", "text", "to_all", "why"],
];

/** The entries, the newest first. */
export function log(entries, names) {
  const rows = [...entries].reverse().map(({ seq, at, who, what, data }) => ({
    key: seq,
    cells: [String(seq), timeOfDay(at), who, say(`event.${what}`), contentOf(what, data, names)],
  }));
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say("log") });
  return h("section", { key: "log", id: "log", class: "full" }, h("h2", {}, say("log")), content);
}

/** What an entry says, field by field; the whole configuration in the first one is not shown. */
function contentOf(what, data, names) {
  if (what === "created") {
    return "";
  }
  const told = SHOWN.filter((name) => name in data && data[name] !== null && data[name] !== "");
  const parts = told.map((name) => `${say(`field.${name}`)}: ${inWords(name, data[name], names)}`);
  return h("span", {}, parts.join(" · ").slice(0, LONGEST));
}

function inWords(name, value, names) {
  switch (name) {
    case "round":
      return String(value + 1);
    case "team":
    case "target":
      return names(value);
    case "phase":
    case "of":
      return value === "choice" ? value : say(`phase.${value}`);
    case "kind":
      return say(`kind.${value}`);
    case "decision":
      return say(`ruling.${value}`);
    default:
      return [value].flat().join("; ");
  }
}
