// The decision: may it go out, the files that go out, the secret apart, and how to do it elsewhere.

import { get, post } from "../common/api.js";
import { h } from "../common/dom.js";
import { dateAndTime } from "../common/format.js";
import { language, say } from "../common/language.js";
import { compare } from "./compare.js";
import { attacks, people, utility } from "./details.js";
import { gate, saidByGate } from "./gate.js";
import { stepsText, working } from "./parts.js";
import { riskRows } from "./risks.js";
import { desk } from "./state.js";

const chosen = { job: null, state: "", why: "", now: "", found: null };
let releases = [];

async function load() {
  const query = new URLSearchParams(location.search);
  if (chosen.job === null && query.has("trial")) {
    const [search, trial] = ["search", "trial"].map((key) => Number(query.get(key)));
    chosen.job = (await post(`/api/sessions/${desk.id}/decide`, { search, trial })).job;
    history.replaceState(null, "", `/session/${desk.id}/decide?job=${chosen.job}`);
    desk.session = await get(`/api/sessions/${desk.id}`);
  }
  const made = desk.session.jobs.filter(({ task }) => task === "decide");
  const asked = Number(query.get("job"));
  chosen.job ??= made.find(({ number }) => number === asked)?.number ?? made.at(-1)?.number ?? null;
  releases = made.filter(({ state }) => state === "done");
  if (chosen.job !== null && chosen.state !== "running") {
    chosen.state = "running";
    desk.watch(chosen.job, take).then(() => desk.attempt(finish));
  }
}

function take(events, { state, why }) {
  Object.assign(chosen, { why }, ...events);
  chosen.state = state === "running" ? "running" : "ending";
}

async function finish() {
  const { state } = await get(`/api/sessions/${desk.id}/jobs/${chosen.job}`);
  chosen.state = state;
  if (state === "done") {
    chosen.found = await get(`/api/sessions/${desk.id}/releases/${chosen.job}`);
    desk.session = await get(`/api/sessions/${desk.id}`);
    releases = desk.session.jobs.filter((job) => job.task === "decide" && job.state === "done");
  }
}

function cancel() {
  desk.attempt(() => post(`/api/sessions/${desk.id}/jobs/${chosen.job}/cancel`));
}

function progress() {
  const known = chosen.now ? say(`desk.level.${chosen.now}`) : "";
  return h(
    "section",
    { class: "full", key: "progress" },
    h(
      "div",
      { class: "row" },
      working(say("desk.deciding", { known })),
      h("button", { type: "button", id: "cancel", onclick: cancel }, say("desk.cancel")),
    ),
  );
}

function isGood({ decision }) {
  return decision === "release";
}

/** What the gate said; only histories have one. */
function gated() {
  return desk.session.kind === "history" ? saidByGate() : "passes";
}

function answer(found) {
  const { answer: said, job } = found;
  const refused = gated() === "refuses";
  const good = isGood(found) && !refused;
  return h(
    "section",
    { class: "full", key: "answer" },
    h("h2", {}, stepsText(job.arguments.steps)),
    h(
      "p",
      { class: `verdict ${good ? "ok" : "bad"}`, id: "verdict" },
      refused ? say("desk.stays.in") : said.headline,
    ),
    h("p", { class: "soft" }, said.described),
    h(
      "ul",
      { class: "reasons" },
      said.why.map((sentence) => h("li", { key: sentence }, sentence)),
    ),
    riskRows(said.risks, said.limit_word),
    h(
      "ul",
      { class: "soft", key: "kept" },
      said.utility.map((phrase) => h("li", { key: phrase }, phrase)),
    ),
    report(found),
  );
}

function report({ addresses }) {
  const href = `${addresses.report}&lang=${language()}`;
  return h(
    "div",
    { key: "report", class: "report" },
    h(
      "p",
      { class: "buttons" },
      h("a", { class: "button", target: "_blank", href }, say("desk.report.open")),
      download(`${href}&save=true`, say("desk.report")),
    ),
    h("p", { class: "soft small" }, say("desk.report.text")),
  );
}

function download(href, text, strong = false) {
  return h(
    "a",
    { class: strong ? "button strong" : "button", href, download: true, key: text },
    text,
  );
}

/** Why the file may go out or not; histories also have to pass the gate. */
function reasonFor(found) {
  if (!isGood(found)) {
    return "desk.stays.in.text";
  }
  const texts = { refuses: "desk.stays.in.gate", unasked: "desk.goes.out.gate" };
  return texts[gated()] ?? "desk.goes.out.text";
}

function files(found) {
  const { published, secret, addresses } = found;
  const why = reasonFor(found);
  const good = why.startsWith("desk.goes.out");
  return [
    h(
      "section",
      { key: "out", class: good ? "goes-out" : "stays", id: "out" },
      h("h2", {}, say(good ? "desk.goes.out" : "desk.stays.in")),
      h("p", { class: good ? "" : "bad" }, say(why)),
      h(
        "p",
        { class: "buttons" },
        published.map((file) => download(addresses.published[file], file, good)),
      ),
    ),
    h(
      "section",
      { key: "secret", class: "stays", id: "secret" },
      h("h2", {}, say("desk.secret")),
      h("p", {}, say("desk.secret.text")),
      h("p", { class: "soft small" }, secret.join(", ")),
      h("p", { class: "buttons" }, download(addresses.secret, say("desk.secret.get"))),
    ),
  ];
}

function recipes(made) {
  return h(
    "section",
    { class: "full", key: "recipes" },
    h("h2", {}, say("desk.recipes")),
    h("p", { class: "soft" }, say("desk.recipes.text")),
    Object.entries(made).map(([name, text]) =>
      h(
        "details",
        { key: name, open: name === "command" },
        h("summary", {}, say(`desk.recipe.${name}`)),
        h("pre", { tabindex: "0" }, h("code", {}, text)),
        name === "study" && studyFile(text),
      ),
    ),
  );
}

function studyFile(text) {
  const href = `data:application/toml;charset=utf-8,${encodeURIComponent(text)}`;
  return h(
    "p",
    {},
    h("a", { class: "button", id: "study", href, download: "study.toml" }, say("desk.study.get")),
  );
}

function others() {
  const href = ({ number }) => `/session/${desk.id}/decide?job=${number}`;
  return h(
    "section",
    { class: "full", key: "others" },
    h("h2", {}, say("desk.releases")),
    h(
      "ul",
      { class: "sessions" },
      releases.map((job) =>
        h(
          "li",
          { key: `${job.number}` },
          h("a", { href: href(job) }, stepsText(job.arguments.steps)),
          h("span", { class: "soft small" }, dateAndTime(job.begun)),
        ),
      ),
    ),
    releases.length > 1 && compare(releases),
  );
}

function main() {
  if (chosen.job === null) {
    const href = `/session/${desk.id}/frontier`;
    return h("section", { class: "full" }, h("a", { href }, say("desk.no.release")));
  }
  const { found, state, why } = chosen;
  if (!found) {
    const ended = why || say(`desk.state.${state}`);
    const running = state === "running" || state === "ending";
    return running ? progress() : h("section", { class: "full bad" }, ended);
  }
  return [
    answer(found),
    files(found),
    desk.session.kind === "history" && gate(chosen.job),
    h(
      "section",
      { class: "full", key: "found" },
      attacks(found, found.job.arguments),
      people(found.people),
      utility(found.utility),
    ),
    Object.keys(found.recipes).length > 0 && recipes(found.recipes),
    releases.length > 1 && others(),
  ];
}

export const decidePage = { load, main };
