// One release: the table before and after, the strongest attack, the riskiest people, and its use.

import { h } from "../common/dom.js";
import { number, plain } from "../common/format.js";
import { say } from "../common/language.js";
import { term } from "../common/terms.js";
import { gridMap } from "./grid.js";
import { in100, meter, rawTable, stepsText, working } from "./parts.js";
import { desk } from "./state.js";

export function details({ found, state, why }, trial, { number: job, goal }) {
  const href = `/session/${desk.id}/decide?search=${job}&trial=${trial.trial}`;
  return h(
    "section",
    { class: "full details", key: "details" },
    h("h2", {}, stepsText(trial.steps)),
    h(
      "ul",
      {},
      trial.summaries.map((text) => h("li", { key: text }, text.replaceAll("`", ""))),
    ),
    toDecide(href),
    state === "running" && working(say("desk.looking.into")),
    why && h("p", { class: "bad" }, why),
    notes(found),
    found.pairs?.rows.length > 0 && beforeAfter(found.pairs),
    found.pairs?.grid && maps(found.pairs.grid),
    attacks(found, goal),
    people(found.people),
    utility(found.utility),
  );
}

function toDecide(href) {
  return h(
    "p",
    { class: "next", key: "decide" },
    h("a", { class: "button strong", href }, say("desk.to.decide")),
  );
}

function notes({ notes: said = [], lost = [] }) {
  const texts = [...said];
  if (lost.length) {
    texts.push(say("desk.lost", { names: lost.join(", ") }));
  }
  return (
    texts.length > 0 &&
    h(
      "ul",
      { class: "bad", key: "notes" },
      texts.map((text) => h("li", { key: text }, text)),
    )
  );
}

/** Each published row below its original; what has changed stands out. */
export function beforeAfter({ columns, rows }) {
  const cells = rows.flatMap(([before, after]) => [
    [say("desk.before"), ...before],
    [say("desk.after"), ...after.map((text, at) => ({ text, changed: text !== before[at] }))],
  ]);
  const cell = (content) =>
    content.text === undefined
      ? content
      : h("span", { class: content.changed ? "changed" : "" }, content.text);
  return h(
    "div",
    { key: "pairs", class: "pairs" },
    h("h3", {}, say("desk.pairs")),
    h("p", { class: "soft small" }, say("desk.pairs.text")),
    rawTable(say("desk.pairs"), ["", ...columns], cells, cell),
  );
}

function maps(grid) {
  return h(
    "div",
    { key: "maps", class: "maps" },
    h("h3", {}, say("desk.pairs")),
    gridMap(grid, grid.before, say("desk.before")),
    gridMap(grid, grid.after, say("desk.after")),
  );
}

export function attacks({ attacks: made = [], chance }, { limit }) {
  if (!made.length) {
    return null;
  }
  const [first] = made;
  const text = say("desk.strongest", {
    attack: term(first.attack.split("(")[0]),
    found: in100(first.found),
  });
  return h(
    "div",
    { key: "attacks" },
    h("h3", {}, say("desk.attacks")),
    h("p", { class: first.found > limit ? "bad" : "ok" }, h("strong", {}, text)),
    h("p", {}, first.what),
    h(
      "ul",
      { class: "meterlist" },
      made
        .slice(0, 5)
        .map((run) =>
          h(
            "li",
            { key: `${run.level} ${run.attack}` },
            h("span", {}, term(run.attack.split("(")[0])),
            meter(run.found, run.attack, limit),
            h("span", {}, in100(run.found)),
          ),
        ),
    ),
    chance !== undefined &&
      h("p", { class: "soft small" }, say("desk.chance", { share: in100(chance) })),
  );
}

export function people(listed = []) {
  return (
    listed.length > 0 &&
    h(
      "div",
      { key: "people" },
      h("h3", {}, say("desk.people")),
      h("p", { class: "soft small" }, say("desk.people.text")),
      rawTable(
        say("desk.people"),
        [say("desk.row"), say("desk.found.by"), say("desk.because")],
        listed.map(({ row, found, reason }) => [
          number(row, 0),
          in100(found),
          reason ?? say("desk.no.reason"),
        ]),
      ),
    )
  );
}

export function utility(scores) {
  if (!scores) {
    return null;
  }
  const rows = scores
    .filter(({ score }) => score)
    .map(({ name, what, score }) => [
      h("span", {}, h("strong", {}, term(name)), h("br"), h("span", { class: "soft small" }, what)),
      plain(score.value),
      score.good === null ? say(`better.${score.better}`) : in100(score.good),
    ]);
  return h(
    "details",
    { key: "utility", open: true },
    h("summary", {}, h("h3", {}, say("desk.utility"))),
    rawTable(
      say("desk.utility"),
      [say("desk.analysis"), say("desk.value"), say("desk.kept")],
      rows,
    ),
  );
}
