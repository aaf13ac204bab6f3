// Teams: add, invite, withdraw, and who has joined.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["team", "state", "actions"];

export function teams({ board, act }) {
  const rows = board.teams.map((team) => ({
    key: team.id,
    cells: [
      [team.name, h("div", { class: "soft" }, h("code", {}, team.id))],
      [stateOf(team, board.members[team.id]), link(team, act)],
      team.committee ? null : buttons(team.id, act),
    ],
  }));
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say("teams") });
  return h("section", { key: "teams", id: "teams" }, h("h2", {}, say("teams")), form(act), content);
}

function stateOf({ withdrawn, committee }, members) {
  if (withdrawn) {
    return say("team.withdrawn");
  }
  if (committee) {
    return say("team.committee");
  }
  if (members?.logins.length) {
    return say("team.joined", { logins: members.logins.join(", ") });
  }
  return say(members?.invited ? "team.invited" : "team.uninvited");
}

/** The invitation, ready to be copied, if made on this page: the server keeps its hash alone. */
function link({ id, name }, act) {
  if (!act.links.has(id)) {
    return null;
  }
  const onfocus = (event) => event.currentTarget.select();
  const label = say("invitation.link", { team: name });
  const field = { readonly: true, value: act.links.get(id), "aria-label": label, onfocus };
  return h("input", { key: "link", class: "link", ...field });
}

function form(act) {
  const onsubmit = async (event) => {
    event.preventDefault();
    const { team, id } = event.currentTarget.elements;
    const content = { name: team.value, ...(id.value && { id: id.value }) };
    if (await act.post("/api/operator/teams", content)) {
      team.value = "";
      id.value = "";
    }
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
    h(
      "label",
      { class: "short" },
      say("team.id"),
      h("input", { name: "id", maxlength: 40, pattern: "[a-z0-9][a-z0-9_\\-]*" }),
    ),
    h("button", { class: "strong", type: "submit", ...act.waiting() }, say("add")),
  );
}

function buttons(id, act) {
  const path = `/api/operator/teams/${id}`;
  const invite = {
    type: "button",
    "data-act": "invite",
    ...act.waiting(),
    onclick: () => act.post(`${path}/invitation`),
  };
  return h(
    "div",
    { class: "buttons" },
    h("button", { key: "invite", ...invite }, say("invite")),
    act.button({ name: "withdraw", path: `${path}/withdrawal`, final: true }),
  );
}
