// What a team has submitted, and how it was scored.

import { h } from "../common/dom.js";
import { plain, timeOfDay } from "../common/format.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["uploads.time", "uploads.what", "uploads.status", "uploads.result"];
const COLOURS = { rejected: "bad", accepted: "ok" };

export function uploads(own, names) {
  const rows = own.uploads.map((upload) => ({
    key: upload.upload,
    cells: [timeOfDay(upload.at), subject(upload, names), status(upload), result(upload)],
  }));
  const content = tableOrNothing({
    columns: COLUMNS,
    rows: rows.reverse(),
    caption: say("uploads"),
  });
  return h("section", { key: "uploads", id: "uploads" }, h("h2", {}, say("uploads")), content);
}

function subject({ target, set }, names) {
  return target ? `→ ${names(target)} · ${set}` : set;
}

function status({ status: name, counts }) {
  const text = say(`status.${name}`) + (counts ? ` · ${say("counts")}` : "");
  return h("span", { class: COLOURS[name] ?? "soft" }, text);
}

function result({ faults, reference, measures }) {
  return [
    faults.map((fault) => h("div", { class: "bad" }, fault)),
    reference && h("div", { key: "reference", class: "bad" }, say("reference", { n: reference })),
    Object.entries(measures).map(([metric, score]) => {
      return h("div", { key: metric }, `${metric}: ${score.undefined ?? plain(score.value)}`);
    }),
  ];
}
