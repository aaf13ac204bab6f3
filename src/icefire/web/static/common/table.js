// Tables with column headers.

import { h } from "./dom.js";
import { say } from "./language.js";

/**
 * A table. `columns` are keys of the catalogue, `rows` are `{ key, cells }`; the first cell of a
 * row is its header.
 * `caption` names the table for screen readers where the heading above does not.
 */
export function table({ columns, rows, caption = null }) {
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      {},
      caption && h("caption", { class: "unseen" }, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((key) => h("th", { scope: "col", key }, say(key))),
        ),
      ),
      h("tbody", {}, rows.map(row)),
    ),
  );
}

function row({ key, cells: [first, ...others] }) {
  return h(
    "tr",
    { key },
    h("th", { scope: "row" }, first),
    others.map((cell) => h("td", {}, cell)),
  );
}

/** A table, or a line that says that there is nothing. */
export function tableOrNothing({ columns, rows, caption }) {
  return rows.length
    ? table({ columns, rows, caption })
    : h("p", { class: "soft" }, say("nothing"));
}
