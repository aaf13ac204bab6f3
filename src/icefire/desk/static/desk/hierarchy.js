// The hierarchy editor: how a column is made coarser, and how many people hide behind each label.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { desk } from "./state.js";

const FORMS = ["none", "widths", "digits", "learned", "table"];
const LISTED = 200;
const RAREST = 8;

/** A hierarchy in a few words. */
export function hierarchyText(hierarchy) {
  const form = formOf(hierarchy);
  const values = hierarchy?.[form];
  const text = Array.isArray(values) ? values.join(", ") : String(values ?? "");
  return say(`desk.hierarchy.${form}.short`, { values: text });
}

function formOf(hierarchy) {
  return (
    FORMS.find((form) => hierarchy?.[form] !== undefined && hierarchy?.[form] !== null) ?? "none"
  );
}

let editing = null;

/** The editor of a column; `save` is given the hierarchy when the person is content with it. */
export function hierarchyEditor(look, entry, save) {
  if (editing?.name !== look.name) {
    editing = { name: look.name, hierarchy: entry.hierarchy ?? {}, counted: null };
    count();
  }
  const form = formOf(editing.hierarchy);
  return h(
    "div",
    { class: "editor" },
    h(
      "div",
      { class: "row" },
      h(
        "label",
        {},
        say("desk.hierarchy.form"),
        h(
          "select",
          { onchange: (event) => choose(event.target.value) },
          FORMS.map((name) =>
            h(
              "option",
              { value: name, selected: name === form, disabled: !offered(name), key: name },
              say(`desk.hierarchy.${name}`),
            ),
          ),
        ),
      ),
      (form === "widths" || form === "digits" || form === "learned") && numbers(form),
      h(
        "button",
        { type: "button", class: "strong", key: "save", onclick: () => save(editing.hierarchy) },
        say("desk.keep"),
      ),
    ),
    form === "table" && groups(),
    counts(),
  );
}

/** Groups of one's own are for as many values as can be looked through. */
function offered(form) {
  const values = editing.counted?.values;
  return form !== "table" || (values?.length > 0 && values.length <= LISTED);
}

function choose(form) {
  const values = editing.counted?.values ?? [];
  const begin = {
    none: {},
    widths: { widths: [5, 10, 20] },
    digits: { digits: [3, 2, 1] },
    learned: { learned: 3 },
    table: { table: Object.fromEntries(values.map((value) => [value, [value]])) },
  };
  change(begin[form]);
}

function change(hierarchy) {
  editing.hierarchy = hierarchy;
  count();
}

function count() {
  const { name, hierarchy } = editing;
  const given = Object.keys(hierarchy).length ? hierarchy : null;
  desk.attempt(async () => {
    const counted = await post(`/api/sessions/${desk.id}/hierarchy`, {
      column: name,
      hierarchy: given,
    });
    // Answers may come in another order than the questions.
    if (editing.name === name && editing.hierarchy === hierarchy) {
      editing.counted = counted;
    }
  });
}

function numbers(form) {
  const values = editing.hierarchy[form];
  const read = (text) =>
    text
      .split(/[,、\s]+/)
      .filter(Boolean)
      .map(Number);
  return h(
    "label",
    { key: form },
    say(`desk.hierarchy.${form}.field`),
    h("input", {
      value: Array.isArray(values) ? values.join(", ") : String(values),
      onchange: (event) => {
        const given = read(event.target.value);
        change({ [form]: form === "learned" ? given[0] : given });
      },
    }),
  );
}

/** The groups of every value, with how many people have it, and a column for each level. */
function groups() {
  const { values = [], counts: held = [] } = editing.counted ?? {};
  const { table } = editing.hierarchy;
  const height = Math.max(1, ...Object.values(table).map((labels) => labels.length));
  return [
    h(
      "div",
      { class: "row", key: "heights" },
      h("button", { type: "button", id: "coarser", onclick: () => grow(1) }, say("desk.coarser")),
      height > 1 &&
        h("button", { type: "button", onclick: () => grow(-1) }, say("desk.coarser.less")),
    ),
    h(
      "div",
      { class: "groups", key: "groups" },
      values.map((value, place) =>
        h(
          "div",
          { key: value, role: "group", "aria-label": value },
          h("span", {}, `${value} (${number(held[place], 0)})`),
          (table[value] ?? [value]).map((label, level) => group(value, level, label)),
        ),
      ),
    ),
  ];
}

function group(value, level, label) {
  return h("input", {
    // A new one where the label came from another value's.
    key: `${level} ${label}`,
    value: label,
    "aria-label": say("desk.group.of", { name: value, level: level + 1 }),
    onchange: (event) => relabel(value, level, event.target.value || value),
  });
}

/** Move a value into a group. Those who share the group below go along, and take its groups above. */
function relabel(value, level, label) {
  const table = { ...editing.hierarchy.table };
  const shares = (other) => table[other][level - 1] === table[value][level - 1];
  const moving = level ? Object.keys(table).filter(shares) : [value];
  const there = Object.keys(table).find(
    (other) => !moving.includes(other) && table[other][level] === label,
  );
  const above = table[there ?? value].slice(level + 1);
  for (const other of moving) {
    table[other] = [...table[other].slice(0, level), label, ...above];
  }
  change({ table });
}

/** Add a level of coarser groups, or take the coarsest away. */
function grow(by) {
  const entries = Object.entries(editing.hierarchy.table);
  const grown = (labels) => (by > 0 ? [...labels, labels.at(-1)] : labels.slice(0, -1));
  change({ table: Object.fromEntries(entries.map(([value, labels]) => [value, grown(labels)])) });
}

function counts() {
  const levels = editing.counted?.levels;
  if (!levels) {
    return h(
      "p",
      { class: "soft small" },
      say(editing.counted ? "desk.hierarchy.uncounted" : "desk.counting"),
    );
  }
  return h(
    "ol",
    { class: "levels", start: "0" },
    levels.map(({ labels, rarest }, place) =>
      h(
        "li",
        { key: `${place}` },
        say("desk.labels", { n: number(labels, 0) }),
        h("span", { class: "small soft" }, rarest.slice(0, RAREST).map(behind).join(" · ")),
      ),
    ),
  );
}

function behind([label, people]) {
  return `${label}: ${number(people, 0)}`;
}
