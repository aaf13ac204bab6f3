// The gate of a history: may this month go out, after all that went out before?

import { get, post, put } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { in100, rawTable, working } from "./parts.js";
import { desk } from "./state.js";

const asked = { job: null, running: false, verdict: null };

/** What the gate said of the release that is shown: "passes", "refuses", or "unasked". */
export function saidByGate() {
  if (!asked.verdict) {
    return "unasked";
  }
  return asked.verdict.passes ? "passes" : "refuses";
}

/** The verdict that was given last on a release, or the question. */
export function gate(release) {
  const job = desk.session.jobs.findLast(
    ({ task, state, arguments: given }) =>
      task === "gate" && state === "done" && given.release === release,
  );
  if (job && asked.job !== job.number && !asked.running) {
    asked.job = job.number;
    desk.attempt(async () => {
      asked.verdict = await get(`/api/sessions/${desk.id}/releases/${job.number}/gate`);
    });
  }
  return h(
    "section",
    { key: "gate", class: "full" },
    h("h2", {}, say("desk.gate")),
    h("p", {}, say("desk.gate.text")),
    ledger(),
    asked.running ? working(say("desk.gate.asking")) : question(release),
    asked.verdict && verdict(asked.verdict),
    nextMonth(),
  );
}

function question(release) {
  return h(
    "form",
    { class: "row", onsubmit: (event) => ask(event, release) },
    h(
      "label",
      { class: "short" },
      say("desk.gate.limit"),
      h("input", {
        name: "limit",
        type: "number",
        min: 0,
        max: 100,
        step: "any",
        value: 20,
        required: true,
      }),
    ),
    h("button", { type: "submit", class: "strong", id: "gate" }, say("desk.gate.ask")),
  );
}

function ask(event, release) {
  event.preventDefault();
  const limit = Number(new FormData(event.currentTarget).get("limit")) / 100;
  Object.assign(asked, { running: true, verdict: null });
  desk.attempt(async () => {
    try {
      const { job } = await post(`/api/sessions/${desk.id}/gate`, { release, limit });
      asked.job = job;
      const { state, why } = await desk.watch(job);
      desk.session = await get(`/api/sessions/${desk.id}`);
      if (state === "done") {
        asked.verdict = await get(`/api/sessions/${desk.id}/releases/${job}/gate`);
      } else {
        desk.faults = [why || say(`desk.state.${state}`)];
      }
    } finally {
      asked.running = false;
    }
  });
}

function verdict({ passes, short, curves, recorded }) {
  const names = Object.keys(curves);
  const rows = curves[names[0]].map(({ period }, place) => [
    period,
    ...names.map((name) => in100(curves[name][place].value)),
  ]);
  const heads = [say("desk.period"), ...names.map((name) => say(`desk.knows.${name}`))];
  return h(
    "div",
    { key: "verdict", id: "gate-verdict" },
    h("p", { class: passes ? "ok" : "bad" }, h("strong", {}, short)),
    rawTable(say("desk.gate"), heads, rows),
    recorded && h("p", { class: "soft" }, say("desk.gate.recorded")),
  );
}

function ledger() {
  const months = desk.session.ledger.flatMap(({ periods }) => periods);
  const text = months.length ? months.join(", ") : say("desk.ledger.empty");
  return h("p", { id: "ledger" }, say("desk.ledger", { months: text }));
}

function nextMonth() {
  return h(
    "label",
    { key: "next month" },
    say("desk.next.month"),
    h("input", { type: "file", id: "next-file", onchange: (event) => take(event.target.files[0]) }),
  );
}

function take(file) {
  desk.attempt(async () => {
    await put(`/api/sessions/${desk.id}/file/${encodeURIComponent(file.name)}`, file);
    desk.go("file");
  });
}
