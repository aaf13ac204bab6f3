// Standings of the defenders, and tables to download.

import { h } from "../common/dom.js";
import { decimalsFor, number, rankText } from "../common/format.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["rank", "team", "total"];

export function standings({ board, names }) {
  const { defenders } = board.total;
  const decimals = decimalsFor(defenders.map(({ total }) => total));
  const rows = defenders.map(({ team, rank, total }) => ({
    key: team,
    cells: [rankText(rank), names(team), number(total, decimals)],
  }));
  const files = ["standings", "matrix"].map((name, index) => [
    index > 0 && " · ",
    h("a", { href: `/api/operator/tables/${name}`, download: true }, `${name}.csv`),
  ]);
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say("standings") });
  return h(
    "section",
    { key: "standings", id: "standings" },
    h("h2", {}, say("standings")),
    content,
    h("p", { key: "files" }, files),
  );
}
