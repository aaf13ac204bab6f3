// The file: what was recognized in it, its first rows, and switches for what was not.

import { post } from "../common/api.js";
import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { next, rawTable, section, working } from "./parts.js";

const FIELDS = ["encoding", "separator", "sheet", "skip", "names"];
const ENCODINGS = ["", "utf-8", "cp932", "utf-16", "euc_jp", "cp1252"];
const SEPARATORS = ["", ",", ";", "\t", "|"];

import { desk } from "./state.js";

let reading = false;
let read = {};

async function load() {
  const job = desk.session.jobs.findLast(({ task }) => task === "read");
  if (job?.state === "running" && !reading) {
    reading = true;
    desk.watch(job.number, see).then(finish);
  }
}

function see(events) {
  read = Object.assign(read, ...events);
}

function finish() {
  reading = false;
  desk.attempt(desk.load);
}

function again(event) {
  event.preventDefault();
  const given = Object.fromEntries(new FormData(event.currentTarget));
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
  if (said.skip) {
    said.skip = Number(said.skip);
  }
  if (said.names) {
    said.names = said.names.split(",").map((name) => name.trim());
  }
  desk.attempt(async () => {
    await post(`/api/sessions/${desk.id}/read`, said);
    await desk.load();
  });
}

function field(name) {
  const value = desk.session.reading[name];
  const options = { encoding: ENCODINGS, separator: SEPARATORS }[name];
  const input = options
    ? h(
        "select",
        { name },
        options.map((text) =>
          h("option", { value: text, selected: (value ?? "") === text }, said(text)),
        ),
      )
    : h("input", { name, value: value ?? "", inputmode: name === "skip" ? "numeric" : null });
  return h("label", { key: name }, say(`desk.read.${name}`), input);
}

function said(text) {
  return { "": say("desk.recognized.itself"), "\t": say("desk.tab") }[text] ?? text;
}

function switches() {
  return h(
    "details",
    { key: "switches", class: "full" },
    h("summary", {}, say("desk.read.otherwise")),
    h(
      "form",
      { onsubmit: again },
      h("div", { class: "row" }, FIELDS.map(field)),
      h("div", {}, h("button", { type: "submit" }, say("desk.read.again"))),
    ),
  );
}

/** Options of the command line by the names that their fields have here. */
function plainly(text) {
  return text.replaceAll(/--(encoding|separator|sheet|skip|names)\b/g, (_, name) =>
    say("desk.field", { name: say(`desk.read.${name}`) }),
  );
}

function seen({ rows, recognized, preview }) {
  const size = say("desk.size", { rows: number(rows, 0), columns: preview.columns.length });
  return [
    section(
      "desk.recognized",
      h("p", {}, h("strong", {}, size)),
      h(
        "ul",
        {},
        recognized.map((text) => h("li", { key: text }, plainly(text))),
      ),
      rawTable(say("desk.preview"), preview.columns, preview.rows, (text) => text ?? ""),
      switches(),
    ),
    next("columns"),
  ];
}

function failed() {
  const job = desk.session.jobs.findLast(({ task }) => task === "read");
  const why = job?.why ? plainly(job.why) : say(`desk.state.${job?.state ?? "lost"}`);
  return section("desk.not.read", h("p", { class: "bad" }, why), switches());
}

function main() {
  if (reading) {
    return working(
      read.rows ? say("desk.looking", { rows: number(read.rows, 0) }) : say("desk.reading"),
    );
  }
  return desk.session.file ? seen(desk.session.file) : failed();
}

export const filePage = { load, main };
