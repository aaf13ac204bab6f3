// The frontier: releases on a picture of risk and use while they are computed; a click looks into
// one.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { chart } from "./chart.js";
import { details } from "./details.js";
import { in100, stepsText, working } from "./parts.js";
import { desk } from "./state.js";

const search = { number: null, state: "", why: "", trials: new Map(), goal: {}, now: "" };
const seen = { trial: null, job: null, state: "", why: "", found: {} };

function load() {
  const asked = Number(new URLSearchParams(location.search).get("search"));
  const job = desk.session.jobs.find((one) => one.number === asked) ?? desk.latest("search");
  if (job && search.number !== job.number) {
    Object.assign(search, { number: job.number, goal: job.arguments, state: job.state });
    desk.watch(job.number, take).then(finish);
  }
}

function take(events, { state, why }) {
  Object.assign(search, { state, why });
  for (const event of events) {
    if (event.suggested) {
      const trial = search.trials.get(event.trial);
      search.trials.set(event.trial, { ...trial, ...event });
    } else if (event.trial !== undefined) {
      search.trials.set(event.trial, { ...search.trials.get(event.trial), ...event });
    } else {
      Object.assign(search, event);
    }
  }
}

function finish() {
  search.now = "";
  desk.draw();
}

/** Look into a release: what was found when it was looked into before, or a new job. */
function look(trial) {
  Object.assign(seen, { trial, found: {}, state: "running", why: "" });
  desk.attempt(async () => {
    const body = { search: search.number, trial };
    const { jobs } = desk.session;
    const done = jobs.find(
      ({ task, state, arguments: given }) =>
        task === "look" &&
        state === "done" &&
        given.search === search.number &&
        given.trial === trial,
    );
    const { job } = done ? { job: done.number } : await post(`/api/sessions/${desk.id}/look`, body);
    seen.job = job;
    await desk.watch(job, (events, { state, why }) => {
      if (seen.job === job) {
        Object.assign(seen, { state, why });
        Object.assign(seen.found, ...events);
      }
    });
  });
}

function cancel() {
  desk.attempt(() => post(`/api/sessions/${desk.id}/jobs/${search.number}/cancel`));
}

/** How far the search is: everything that is planned, then what the best suggest, then proofs. */
function progress({ planned, trials, searched }) {
  if (searched !== undefined) {
    return say("desk.proving", { done: searched });
  }
  const known = planned !== undefined && trials.size <= planned;
  return say(known ? "desk.searching" : "desk.refining", { done: trials.size, planned });
}

/** Why no release was found, as far as it can be told. */
function reason(trials, limit) {
  const original = trials.find(({ steps }) => steps.length === 0);
  if (original && !original.stopped && original.risk <= limit) {
    return say("desk.none.better", { risk: in100(original.risk) });
  }
  const chance = 1 / search.people;
  if (chance > limit) {
    return say("desk.none.few", { people: search.people, chance: in100(chance) });
  }
  const others = trials.filter(({ steps, risk }) => steps.length && risk !== null);
  const least = Math.min(...others.map(({ risk }) => risk));
  return others.length ? say("desk.none", { least: in100(least) }) : say("desk.none.measured");
}

function status() {
  const { state, trials, now, why } = search;
  if (state === "running") {
    const text = progress(search);
    return h(
      "div",
      { class: "row", key: "status" },
      working(
        now ? `${text} ${stepsText(now.split(" + ").filter((one) => one !== "nothing"))}` : text,
      ),
      h("button", { type: "button", id: "cancel", onclick: cancel }, say("desk.cancel")),
    );
  }
  const tried = [...trials.values()];
  const passing = tried.some((trial) => passes(trial, search.goal.limit));
  const known = passing || state !== "done";
  const text = why || (known ? say(`desk.state.${state}`) : reason(tried, search.goal.limit));
  return h(
    "div",
    { key: "status", role: "status", class: why || !known ? "bad" : "soft" },
    text,
    " ",
    !known && h("a", { href: `/session/${desk.id}/goal` }, say("desk.to.goal.again")),
    h(
      "ul",
      {},
      (search.notes ?? []).map((text) => h("li", { key: text }, text)),
    ),
  );
}

/** The table or its columns were changed since the search. */
function outdated() {
  return h(
    "p",
    { key: "outdated", class: "bad" },
    say("desk.outdated"),
    " ",
    h("a", { href: `/session/${desk.id}/goal` }, say("desk.to.goal.again")),
  );
}

/** The search looked at some of the people. */
function sampled({ people, everybody }) {
  const numbers = { people: number(people, 0), everybody: number(everybody, 0) };
  return h("p", { key: "sampled", class: "soft" }, say("desk.sampled", numbers));
}

/** The frontier first, then what came close, the safest first. */
function ordered(trials, limit) {
  const measured = trials.filter(({ risk }) => risk !== null);
  return measured.sort(
    (one, other) =>
      Number(passes(other, limit)) - Number(passes(one, limit)) ||
      (passes(one, limit) ? other.utility - one.utility : one.risk - other.risk),
  );
}

/** Whether every attack was made on a release that was changed at all, and none found too much. */
function passes({ risk, stopped, steps }, limit) {
  return steps.length > 0 && !stopped && risk !== null && risk <= limit;
}

function row(trial) {
  const chosen = seen.trial === trial.trial;
  const name = trial.suggested ? `${say(`desk.worth.${trial.suggested}`)}: ` : "";
  const risk = trial.stopped ? `≥ ${in100(trial.risk)}` : in100(trial.risk);
  const open = { type: "button", class: "link", "aria-pressed": String(chosen) };
  return h(
    "tr",
    { key: `${trial.trial}`, class: trial.risk > search.goal.limit ? "over" : "" },
    h(
      "th",
      { scope: "row" },
      h(
        "button",
        { ...open, "data-trial": trial.trial, onclick: () => look(trial.trial) },
        h("strong", {}, name),
        stepsText(trial.steps),
      ),
    ),
    h("td", {}, risk),
    h("td", {}, in100(trial.utility)),
    h("td", {}, say(trial.verified || trial.suggested ? "desk.verified" : "desk.searched")),
  );
}

function list(trials) {
  const heads = ["desk.release", "desk.risk", "desk.use", "desk.how"];
  return h(
    "div",
    {
      class: "scroll list",
      key: "list",
      tabindex: "0",
      role: "region",
      "aria-label": say("desk.list"),
    },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((key) => h("th", { scope: "col", key }, say(key))),
        ),
      ),
      h("tbody", {}, trials.map(row)),
    ),
  );
}

function main() {
  if (search.number === null) {
    const href = `/session/${desk.id}/goal`;
    return h("section", { class: "full" }, h("a", { href }, say("desk.no.search")));
  }
  const trials = ordered([...search.trials.values()], search.goal.limit);
  const known = say(`desk.level.${search.goal.level}`);
  const asked = say("desk.asked", { known, limit: in100(search.goal.limit) });
  const drawn = { trials, limit: search.goal.limit, chosen: seen.trial, look };
  return [
    h(
      "section",
      { key: "picture" },
      h("h2", {}, say("desk.frontier")),
      h("p", {}, asked),
      search.goal.version !== desk.session.version && outdated(),
      search.people < search.everybody && sampled(search),
      chart(drawn),
      status(),
    ),
    h("section", { key: "trials" }, h("h2", {}, say("desk.list")), list(trials)),
    seen.trial !== null && details(seen, search.trials.get(seen.trial), search),
  ];
}

export const frontierPage = { load, main };
