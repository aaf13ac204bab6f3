// The goal: against whom, how much risk is accepted, and what must stay usable.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { term } from "../common/terms.js";
import { working } from "./parts.js";

const LEVELS = {
  microdata: ["qi", "qi+2", "all"],
  history: ["records:3", "T50", "all"],
  trace: ["other-days", "points:4", "all"],
  synthetic: ["release", "facts", "all"],
};
const WEIGHTS = [1, 2, 5];

import { desk } from "./state.js";

/** Without a hidden column, there is nothing to infer. */
function levels() {
  const parts = Object.values(desk.session.shape?.parts ?? {});
  const infers = kind() !== "synthetic" || parts.includes("hidden");
  return LEVELS[kind()].filter((level) => infers || level !== "facts");
}

function goal() {
  const [first] = levels();
  return {
    level: first,
    limit: 0.05,
    minutes: 3,
    utility: null,
    analyses: {},
    ...desk.session.goal,
  };
}

function kind() {
  return desk.session.kind ?? "microdata";
}

function submit(event) {
  event.preventDefault();
  const given = new FormData(event.currentTarget);
  const used = given.get("utility");
  const body = {
    level: given.get("level"),
    limit: Number(given.get("limit")) / 100,
    utility: used ? Number(used) / 100 : null,
    analyses: bounds(given),
    minutes: Number(given.get("minutes")),
  };
  desk.attempt(async () => {
    await weigh(given);
    const { job } = await post(`/api/sessions/${desk.id}/search`, body);
    desk.go("frontier", `?search=${job}`);
  });
}

/** How far analyses may move, for those of which it was said. */
function bounds(given) {
  const said = analyses().filter(({ name }) => given.get(`analysis ${name}`));
  return Object.fromEntries(said.map(({ name }) => [name, Number(given.get(`analysis ${name}`))]));
}

function analyses() {
  const { file, arranged } = desk.session;
  return (kind() === "microdata" ? file : arranged)?.analyses ?? [];
}

async function weigh(given) {
  const changed = Object.entries(desk.session.columns).filter(
    ([name, { importance }]) =>
      given.has(`weight ${name}`) && Number(given.get(`weight ${name}`)) !== importance,
  );
  if (changed.length) {
    const columns = changed.map(([name, { role, hierarchy }]) => {
      const kept = Object.keys(hierarchy ?? {}).length ? hierarchy : null;
      return [name, { role, hierarchy: kept, importance: Number(given.get(`weight ${name}`)) }];
    });
    await post(`/api/sessions/${desk.id}/columns`, { columns: Object.fromEntries(columns) });
  }
}

function against(level) {
  const words = kind() === "synthetic" && level === "all" ? "members" : level;
  return h(
    "label",
    { key: level, class: "choice" },
    h("input", { type: "radio", name: "level", value: level, checked: level === goal().level }),
    h(
      "span",
      {},
      h("strong", {}, say(`desk.level.${words}`)),
      h("span", { class: "soft small" }, say(`desk.level.${words}.text`)),
    ),
  );
}

function amount(name, value, attributes) {
  return h(
    "label",
    { key: name },
    say(`desk.goal.${name}`),
    h("input", { name, type: "number", step: "any", value: value ?? "", ...attributes }),
    h("span", { class: "soft small" }, say(`desk.goal.${name}.text`)),
  );
}

function weights() {
  const all = kind() === "microdata" ? Object.entries(desk.session.columns) : [];
  const columns = all.filter(([, { role }]) => role === "qi");
  return (
    columns.length > 0 &&
    h(
      "fieldset",
      { key: "weights" },
      h("legend", {}, say("desk.goal.columns")),
      h(
        "div",
        { class: "row" },
        columns.map(([name, { importance }]) =>
          h(
            "label",
            { key: name, class: "short" },
            name,
            h(
              "select",
              { name: `weight ${name}` },
              WEIGHTS.map((value) =>
                h(
                  "option",
                  { value: String(value), selected: value === importance, key: `${value}` },
                  say(`desk.weight.${value}`),
                ),
              ),
            ),
          ),
        ),
      ),
    )
  );
}

function closeness({ name, what, better }) {
  const value = goal().analyses[name] ?? "";
  return h(
    "label",
    { key: name },
    h("span", {}, h("strong", {}, term(name)), " ", say(`desk.goal.${better}`)),
    h("input", { name: `analysis ${name}`, type: "number", step: "any", min: 0, value }),
    h("span", { class: "soft small" }, what),
  );
}

function usable() {
  return (
    analyses().length > 0 &&
    h(
      "details",
      { key: "analyses", open: Object.keys(goal().analyses).length > 0 },
      h("summary", {}, say("desk.goal.analyses")),
      h("p", { class: "soft small" }, say("desk.goal.analyses.text")),
      h("div", { class: "analyses" }, analyses().map(closeness)),
    )
  );
}

function main() {
  if (!desk.session.file) {
    return working(say("desk.no.file"));
  }
  const { limit, utility, minutes } = goal();
  return h(
    "section",
    { class: "full", key: "goal" },
    h("h2", {}, say("desk.goal")),
    h(
      "form",
      { onsubmit: submit },
      h(
        "fieldset",
        { key: "level" },
        h("legend", {}, say("desk.goal.level")),
        levels().map(against),
      ),
      h(
        "div",
        { class: "row", key: "amounts" },
        amount("limit", Number((100 * limit).toPrecision(4)), { min: 0, max: 100, required: true }),
        amount("utility", utility === null ? null : 100 * utility, { min: 0, max: 100 }),
        amount("minutes", minutes, { min: 0.1, max: 600, required: true }),
      ),
      weights(),
      usable(),
      h("div", { key: "go" }, h("button", { type: "submit", class: "strong" }, say("desk.search"))),
    ),
  );
}

export const goalPage = { main };
