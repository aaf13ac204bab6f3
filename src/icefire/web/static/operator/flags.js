// Releases that look like a cheat: the evidence, and a ruling by a person.

import { h } from "../common/dom.js";
import { plain } from "../common/format.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["release", "evidence", "ruling"];

export function flags({ board, names, act }) {
  const rows = board.flags.map((flag) => ({
    key: `${flag.round}/${flag.team}/${flag.set}`,
    cells: [`${names(flag.team)} · ${flag.set}`, evidence(flag.evidence), ruling(flag, act)],
  }));
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say("flags") });
  return h("div", { key: "flags", id: "flags" }, h("h2", {}, say("flags")), content);
}

function ruling({ round, team, set, ruling: decision }, act) {
  if (decision) {
    return say(`ruling.${decision}`);
  }
  const button = (name, valid) => {
    const content = () => ({ round, team, set, valid });
    return act.button({ name, path: "/api/operator/rulings", content });
  };
  return h("div", { class: "buttons" }, button("rule.valid", true), button("rule.invalid", false));
}

function evidence(found) {
  return Object.entries(found).map(([metric, values]) => [
    h("b", { key: metric }, metric),
    Object.entries(values)
      .filter(([, value]) => typeof value !== "object")
      .map(([name, value]) =>
        h(
          "div",
          { key: `${metric}/${name}` },
          `${name}: ${typeof value === "number" ? plain(value) : value}`,
        ),
      ),
  ]);
}
