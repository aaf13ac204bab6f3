// What a row is: a person, a record of a person, a place of a person at a time, or a person who is to be synthesized.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { gridMap } from "./grid.js";
import { next, rawTable, working } from "./parts.js";
import { desk } from "./state.js";

const KINDS = ["microdata", "history", "trace", "synthetic"];
const NAMES = {
  history: ["user", "date", "item", "price", "quantity", "invoice", "time"],
  trace: ["user", "time", "region"],
};
const PARTS = ["known", "hidden", "out"];
const NEEDED = ["user", "date", "item", "region"];
const PERIODS = ["month", "week", "day", "quarter", "year", "all"];
let chosen = null;

export function kindOf() {
  return chosen ?? desk.session.kind ?? "microdata";
}

/** The choice of the kind. */
export function kindChoice() {
  return h(
    "section",
    { key: "kind", class: "full" },
    h("h2", {}, say("desk.kind")),
    h(
      "div",
      { class: "row" },
      KINDS.map((kind) =>
        h(
          "label",
          { key: kind, class: "choice" },
          h("input", {
            type: "radio",
            name: "kind",
            value: kind,
            checked: kind === kindOf(),
            onchange: () => choose(kind),
          }),
          h("span", {}, say(`desk.kind.${kind}`)),
        ),
      ),
    ),
  );
}

function choose(kind) {
  chosen = kind;
  desk.draw();
  if (kind === "microdata" && desk.session.kind && desk.session.kind !== kind) {
    send({ kind });
  }
}

function send(shape) {
  desk.attempt(async () => {
    const { job } = await post(`/api/sessions/${desk.id}/shape`, shape);
    const { state, why } = await desk.watch(job);
    await desk.load();
    if (state !== "done") {
      desk.faults = [why || say(`desk.state.${state}`)];
    }
  });
}

function submit(event) {
  event.preventDefault();
  const given = Object.fromEntries(new FormData(event.currentTarget));
  const kind = kindOf();
  if (kind === "synthetic") {
    const columns = desk.session.file.preview.columns;
    send({ kind, parts: Object.fromEntries(columns.map((name) => [name, given[`part ${name}`]])) });
    return;
  }
  const named = NAMES[kind].filter((name) => given[`name ${name}`]);
  const names = Object.fromEntries(named.map((name) => [name, given[`name ${name}`]]));
  const sizes = ["rows", "columns", "day"].filter((name) => given[name]);
  const grid = Object.fromEntries(sizes.map((name) => [name, Number(given[name])]));
  send({ kind, names, ...grid, ...(given.periods ? { periods: given.periods } : {}) });
}

/** The column that is meant, by what was said before or by its name. */
function guess(name) {
  const columns = desk.session.file.preview.columns;
  return desk.session.shape?.names[name] ?? columns.find((column) => column.toLowerCase() === name);
}

function nameField(name) {
  const columns = desk.session.file.preview.columns;
  const required = NEEDED.includes(name) || (name === "time" && kindOf() === "trace");
  return h(
    "label",
    { key: name },
    say(`desk.name.${name}`),
    h(
      "select",
      { name: `name ${name}`, required },
      h("option", { value: "" }, "–"),
      columns.map((column) =>
        h("option", { value: column, key: column, selected: guess(name) === column }, column),
      ),
    ),
  );
}

/** What a column is for attackers: as said before, or as its role suggests. */
function partOf(name) {
  const role = desk.session.columns[name]?.role;
  const suggested = { identifying: "out", household: "out", sa: "hidden" }[role] ?? "known";
  return desk.session.shape?.parts?.[name] ?? suggested;
}

function partField(name) {
  return h(
    "label",
    { key: name, class: "short" },
    name,
    h(
      "select",
      { name: `part ${name}` },
      PARTS.map((value) =>
        h(
          "option",
          { value, key: value, selected: value === partOf(name) },
          say(`desk.part.${value}`),
        ),
      ),
    ),
  );
}

function fields(kind) {
  if (kind === "synthetic") {
    return h("div", { class: "row" }, desk.session.file.preview.columns.map(partField));
  }
  return [
    h("div", { class: "row" }, NAMES[kind].map(nameField)),
    h(
      "div",
      { class: "row" },
      kind === "history"
        ? periodField()
        : [sizeField("rows", 32), sizeField("columns", 32), sizeField("day", 20)],
    ),
  ];
}

function sizeField(name, value) {
  return h(
    "label",
    { key: name, class: "short" },
    say(`desk.grid.${name}`),
    h("input", {
      name,
      type: "number",
      min: 1,
      required: true,
      value: desk.session.shape?.[name] ?? value,
    }),
  );
}

function periodField() {
  const held = desk.session.shape?.periods ?? "month";
  return h(
    "label",
    { key: "periods", class: "short" },
    say("desk.periods"),
    h(
      "select",
      { name: "periods" },
      PERIODS.map((value) =>
        h("option", { value, key: value, selected: value === held }, say(`desk.periods.${value}`)),
      ),
    ),
  );
}

/** Which columns say who, when, what and where; and what came of it. */
export function shapeForm() {
  const kind = kindOf();
  const job = desk.latest("arrange");
  return [
    h(
      "section",
      { key: "shape", class: "full" },
      h("h2", {}, say("desk.shape")),
      h("p", {}, say(`desk.shape.${kind}`)),
      h(
        "form",
        { onsubmit: submit },
        fields(kind),
        h("div", {}, h("button", { type: "submit", class: "strong" }, say("desk.arrange"))),
      ),
      job?.state === "running" && working(say("desk.reading")),
      desk.session.arranged && desk.session.kind === kind && arranged(desk.session.arranged),
    ),
    desk.session.arranged && next("goal"),
  ];
}

function arranged({ people, periods, grid, control }) {
  const heads = [say("desk.period"), say("desk.records")];
  return h(
    "div",
    { key: "arranged", id: "arranged" },
    h("p", {}, h("strong", {}, say("desk.people.number", { n: number(people, 0) }))),
    control && h("p", {}, say("desk.control", { n: number(control, 0) })),
    periods &&
      rawTable(
        say("desk.period"),
        heads,
        periods.map(([label, count]) => [label, number(count, 0)]),
      ),
    grid && gridMap(grid, grid.visits, say("desk.visits")),
  );
}
