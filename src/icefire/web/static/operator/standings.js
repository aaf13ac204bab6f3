// Standings of both sides, and tables to download.

import { h } from "../common/dom.js";
import { decimalsFor, number, placeIn } from "../common/format.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["rank", "team", "total"];
const TABLES = ["standings", "matrix", "prizes"];

export function standings({ board, names }) {
  const files = TABLES.map((name, index) => [
    index > 0 && " · ",
    h("a", { href: `/api/operator/tables/${name}`, download: true }, say(`table.${name}`)),
  ]);
  return h(
    "section",
    { key: "standings", id: "standings" },
    h("h2", {}, say("standings")),
    ["defenders", "attackers"].map((side) => sideOf(side, board.total[side], names)),
    h("p", { key: "files" }, files),
  );
}

function sideOf(side, ranked, names) {
  const decimals = decimalsFor(ranked.map(({ total }) => total));
  const rows = ranked.map((row) => ({
    key: row.team,
    cells: [placeIn(ranked, row), names(row.team), number(row.total, decimals)],
  }));
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say(side) });
  return h("div", { key: side }, h("h3", {}, say(side)), content);
}
