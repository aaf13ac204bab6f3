// Parts that several pages of the desk are made of.

import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { term } from "../common/terms.js";
import { desk } from "./state.js";

/** A share as a number of 100, with as many digits as it deserves. */
export function in100(share) {
  if (share === null || share === undefined) {
    return "–";
  }
  const of = 100 * share;
  return `${number(of, of === 0 || of === 100 || (of >= 9.95 && of < 99) ? 0 : 1)}%`;
}

export function section(key, ...children) {
  return h("section", { key, class: "full" }, h("h2", {}, say(key)), children);
}

export function next(step) {
  const href = `/session/${desk.id}/${step}`;
  const text = say(`desk.to.${step}`);
  return h(
    "p",
    { key: "next", class: "next full" },
    h("a", { class: "button strong", href, onclick: (event) => leave(event, href) }, text),
  );
}

/** Follow a link when what was changed has reached the server. */
async function leave(event, href) {
  event.preventDefault();
  await desk.pending;
  location.assign(href);
}

/** What is being done, for eyes and screen readers. */
export function working(text) {
  return h("p", { key: "working", class: "working", role: "status" }, text);
}

/** Rows of texts under headings that are names of columns, not words of ours. */
export function rawTable(caption, columns, rows, cell = (text) => text) {
  const head = columns.map((name, place) => h("th", { scope: "col", key: `${place}` }, name));
  const body = rows.map((row, place) =>
    h(
      "tr",
      { key: `${place}` },
      row.map((text, at) => h("td", { key: `${at}` }, cell(text, at, row))),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      { class: "raw" },
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, head)),
      h("tbody", {}, body),
    ),
  );
}

/** Steps of a release as people read them. */
export function stepsText(steps) {
  return steps.length ? steps.map(withParameters).join(" + ") : say("desk.as.it.is");
}

function withParameters(step) {
  const inside = /^\w+\((.*)\)$/.exec(step)?.[1];
  return inside ? `${term(step.split("(")[0])} (${inside})` : term(step);
}

/** A share as a bar, red above what is accepted. */
export function meter(share, label, limit = 1) {
  const ends = { min: 0, max: 1, low: limit, high: limit, optimum: 0 };
  return h("meter", { ...ends, value: share ?? 0, "aria-label": label });
}

/** Small bars for the values of a column. */
export function bars({ bars: counts, labels, ends }, label) {
  const most = Math.max(1, ...counts);
  const width = 120 / Math.max(counts.length, 8);
  return h(
    "svg",
    { class: "bars", viewBox: "0 0 120 32", role: "img", "aria-label": label },
    counts.map((count, place) =>
      h(
        "rect",
        {
          key: `${place}`,
          x: place * width,
          y: 32 - (30 * count) / most,
          width: Math.max(1, width - 1),
          height: (30 * count) / most,
        },
        h("title", {}, `${labels?.[place] ?? ends?.join(" – ") ?? ""}: ${number(count, 0)}`),
      ),
    ),
  );
}
