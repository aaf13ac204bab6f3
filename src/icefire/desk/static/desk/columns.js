// The columns: what each is, why, and whom it singles out.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { hierarchyEditor, hierarchyText } from "./hierarchy.js";
import { bars, in100, meter, next, working } from "./parts.js";

const ROLES = ["identifying", "qi", "sa", "other", "weight", "household"];

import { kindChoice, kindOf, shapeForm } from "./shape.js";
import { desk } from "./state.js";

/** Share of people who are alone from which on it is a danger. */
const MANY = 0.05;
let open = null;

function change(name, changes) {
  const { role, hierarchy, importance } = { ...desk.session.columns[name], ...changes };
  const given = {
    role,
    importance,
    hierarchy: Object.keys(hierarchy ?? {}).length ? hierarchy : null,
  };
  return desk.attempt(async () => {
    await post(`/api/sessions/${desk.id}/columns`, { columns: { [name]: given } });
    await desk.load();
  });
}

function roleChoice(name, { role }) {
  const label = say("desk.role.of", { name });
  return h(
    "select",
    {
      "aria-label": label,
      "data-column": name,
      onchange: (event) => change(name, { role: event.target.value }),
    },
    ROLES.map((value) =>
      h("option", { value, selected: value === role, key: value }, say(`desk.role.${value}`)),
    ),
  );
}

function evidence({ name, distinct, missing, alone, together, picture }) {
  const facts = [say("desk.values", { n: number(distinct, 0) })];
  if (missing) {
    facts.push(say("desk.missing", { n: number(missing, 0) }));
  }
  const known = together !== null && together !== undefined;
  const shares = [singled("desk.alone", alone), known && singled("desk.together", together)];
  return [
    bars(picture, say("desk.picture", { name })),
    h("span", { class: "soft small", key: "facts" }, facts.join(" · ")),
    h("span", { class: "meters small", key: "shares" }, shares),
  ];
}

/** How many people are alone, as a bar. */
function singled(key, share) {
  const text = say(key, { share: in100(share) });
  return h("span", { key }, meter(share, text, MANY), h("span", {}, text));
}

function levels(look, entry) {
  if (entry.role !== "qi") {
    return null;
  }
  const shown = open === look.name;
  return h(
    "div",
    { key: "levels" },
    h("span", { class: "small" }, hierarchyText(entry.hierarchy)),
    h(
      "button",
      {
        type: "button",
        class: "small",
        "aria-expanded": String(shown),
        onclick: () => {
          open = shown ? null : look.name;
          desk.draw();
        },
      },
      say(shown ? "desk.close" : "desk.edit"),
      h("span", { class: "unseen" }, ` ${say("desk.hierarchy.of", { name: look.name })}`),
    ),
  );
}

function row(look) {
  const entry = desk.session.columns[look.name];
  const red = look.role === "identifying" || look.copies.length > 0;
  const reasons = look.reasons.join(say("desk.semicolon"));
  return [
    h(
      "tr",
      { key: look.name, class: red ? "alarming" : "" },
      h("th", { scope: "row" }, look.name),
      h("td", { class: "evidence" }, evidence(look)),
      h(
        "td",
        {},
        roleChoice(look.name, entry),
        h("span", { class: red ? "bad small" : "soft small" }, reasons),
        levels(look, entry),
      ),
    ),
    open === look.name &&
      h(
        "tr",
        { key: `edit ${look.name}` },
        h(
          "td",
          { colspan: "3" },
          hierarchyEditor(look, entry, (h) => change(look.name, { hierarchy: h })),
        ),
      ),
  ];
}

function main() {
  const file = desk.session.file;
  if (!file) {
    return working(say("desk.no.file"));
  }
  if (kindOf() !== "microdata") {
    return [kindChoice(), shapeForm()];
  }
  const heads = ["desk.column", "desk.evidence", "desk.role"];
  return [
    kindChoice(),
    h(
      "section",
      { key: "columns", class: "full" },
      h("h2", {}, say("desk.columns")),
      h("p", {}, say("desk.columns.text")),
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          { class: "columns" },
          h(
            "thead",
            {},
            h(
              "tr",
              {},
              heads.map((key) => h("th", { scope: "col", key }, say(key))),
            ),
          ),
          h("tbody", {}, file.columns.map(row)),
        ),
      ),
    ),
    next("goal"),
  ];
}

export const columnsPage = { main };
