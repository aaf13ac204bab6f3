// Standings: place, name and total, with a bar behind the name.

import { h } from "../common/dom.js";
import { decimalsFor, number, placeIn } from "../common/format.js";
import { say } from "../common/language.js";

const SLIDE = { duration: 900, easing: "ease" };

/** A list of teams, the best first; `shown` are those of the rows that there is room for. */
export function standings(id, rows, names, shown = rows) {
  if (!rows.length) {
    return h("p", { key: id, class: "soft" }, say("none yet"));
  }
  const decimals = decimalsFor(rows.map((row) => row.total));
  const ends = [rows[0].total, rows.findLast((row) => row.total !== null)?.total ?? null];
  const lines = shown.map((row) =>
    h(
      "li",
      { key: row.team },
      h("span", { class: "rank" }, placeIn(rows, row)),
      h(
        "span",
        { class: "who", title: names(row.team) },
        bar(shareOfBest(row.total, ...ends)),
        h("b", {}, names(row.team)),
      ),
      h(
        "span",
        { class: "total" },
        row.total === null ? say("not ranked") : number(row.total, decimals),
      ),
    ),
  );
  return h("ol", { id, key: id, class: `standings ${sizeOf(shown.length)}` }, lines);
}

/** The rows of standings; none of them while nobody has more than nothing. */
export function begun(rows) {
  return rows.every((row) => row.total === 0) ? [] : rows;
}

/** How many there are, as a class for the style sheet. */
export function sizeOf(count) {
  if (count > 14) {
    return "many";
  }
  return count > 7 ? "some" : "few";
}

/**
 * How near a total comes to the best one, from 0 to 1, whichever way is good: the best may be the
 * smallest. While nobody has more than nothing, nobody has a bar.
 */
export function shareOfBest(total, best, last) {
  if (total === best) {
    return total === null || (best === 0 && last === 0) ? 0 : 1;
  }
  if (total === null || best === null || total * best <= 0) {
    return 0;
  }
  const [small, large] = [Math.abs(total), Math.abs(best)].sort((a, b) => a - b);
  return small / large;
}

function bar(share) {
  const attributes = { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" };
  return h("svg", attributes, h("rect", { x: 0, y: 0, height: 10, width: 100 * share }));
}

/** Run `change`, and let the rows that it moves slide to their new places. */
export function withSlidingRows(change) {
  const before = new Map(
    [...document.querySelectorAll(".standings > li")].map((row) => [row, top(row)]),
  );
  change();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    return;
  }
  for (const [row, place] of before) {
    const step = row.isConnected ? place - top(row) : 0;
    if (Math.abs(step) > 2) {
      row.animate([{ transform: `translateY(${step}px)` }, { transform: "none" }], SLIDE);
    }
  }
}

function top(row) {
  return row.getBoundingClientRect().top - row.parentElement.getBoundingClientRect().top;
}
