// Teams: add, invite, withdraw.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["team", "state", "actions"];

export function teams({ board, act }) {
  const rows = board.teams.map(({ id, name, withdrawn }) => ({
    key: id,
    cells: [name, say(withdrawn ? "team.withdrawn" : "team.active"), buttons(id, act)],
  }));
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say("teams") });
  return h("section", { key: "teams", id: "teams" }, h("h2", {}, say("teams")), form(act), content);
}

function form(act) {
  const onsubmit = async (event) => {
    event.preventDefault();
    const field = event.currentTarget.elements.team;
    const name = field.value;
    field.value = "";
    await act.post("/api/operator/teams", { name });
  };
  return h(
    "form",
    { class: "row", onsubmit },
    h(
      "label",
      {},
      say("new team"),
      h("input", { id: "team", name: "team", maxlength: 40, required: true }),
    ),
    h("button", { class: "strong", type: "submit" }, say("add")),
  );
}

function buttons(id, act) {
  const path = `/api/operator/teams/${id}`;
  const invite = {
    type: "button",
    "data-act": "invite",
    onclick: () => act.post(`${path}/invitation`),
  };
  return h(
    "div",
    { class: "buttons" },
    h("button", { key: "invite", ...invite }, say("invite")),
    act.button({ name: "withdraw", path: `${path}/withdrawal` }),
  );
}
