// The rules of the contest, as its file has them.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";

export function rules({ sections }) {
  return h(
    "section",
    { key: "rules", id: "rules" },
    h("details", {}, h("summary", {}, h("h2", {}, say("rules"))), sections.map(section)),
  );
}

function section({ heading, rules: entries }) {
  return h(
    "div",
    { key: heading },
    h("h3", {}, heading),
    h(
      "ul",
      {},
      entries.map(({ term, rule }, place) =>
        h("li", { key: place }, term && named(term), " ", rule),
      ),
    ),
  );
}

function named(term) {
  return h("b", {}, term);
}
