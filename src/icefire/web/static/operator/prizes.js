// Prizes that the operator gives away.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { table } from "../common/table.js";

const COLUMNS = ["prize", "winner", "actions"];

/** The prizes of the operator's choice; nothing if there are none. */
export function prizes({ board, names, act }) {
  const choices = board.prizes.filter(({ of }) => of === "choice");
  if (!choices.length) {
    return null;
  }
  const teams = board.teams.filter(({ withdrawn, committee }) => !(withdrawn || committee));
  const rows = choices.map(({ name, winners }, index) => ({
    key: name,
    cells: [name, winners.map(names).join(", ") || say("prize.open"), choice(name, index)],
  }));

  function choice(prize, index) {
    const id = `prize-${index}`;
    const content = () => ({ prize, team: document.getElementById(id).value });
    return h(
      "div",
      { class: "buttons" },
      h(
        "select",
        { id, "aria-label": say("winner") },
        teams.map((team) => h("option", { key: team.id, value: team.id }, team.name)),
      ),
      act.button({ name: "award", key: id, path: "/api/operator/awards", content }),
    );
  }

  return h(
    "section",
    { key: "prizes", id: "prizes" },
    h("h2", {}, say("prizes")),
    table({ columns: COLUMNS, rows, caption: say("prizes") }),
  );
}
