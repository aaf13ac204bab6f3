// The matrix of a task: how safe each attack has left each release.

import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { shortNames } from "../common/names.js";
import { betterText, decimalsOf, isBanded, shown } from "../common/score.js";
import { attacksOf, worstFirst } from "./attacks.js";
import { sizeOf } from "./standings.js";

const WORST = [224, 96, 60];
const BEST = [128, 186, 234];
const [ROWS, COLUMNS] = [12, 26];
const LONGEST = 18;

/** A table; what does not fit is on further pages, of which `page` is shown. */
export function matrix({ board, task, names, page = null }) {
  const attacks = attacksOf(board, task);
  if (!attacks.attackers.length || !attacks.targets.length) {
    return h("p", { key: "empty", class: "soft" }, say("nothing"));
  }
  const { targets, attackers } = page === null ? attacks : pagesOf(attacks)[page];
  const size = sizeOf(Math.max(attackers.length, targets.length));
  const short = shortNames([...new Set([...targets, ...attackers])], names, LONGEST);
  const header = (id, scope) =>
    h(
      "th",
      { scope, key: id, title: names(id) },
      h("span", { "aria-label": names(id), role: "text" }, short.get(id)),
    );
  const rows = targets.map((team) =>
    h(
      "tr",
      { key: team },
      header(team, "row"),
      attackers.map((attacker) =>
        h("td", { key: attacker }, content(attacks, { team, attacker, names })),
      ),
    ),
  );
  const table = h(
    "table",
    { class: size, "aria-describedby": "matrix-note" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("td", {}),
        attackers.map((id) => header(id, "col")),
      ),
    ),
    h("tbody", {}, rows),
  );
  const region = {
    class: "scroll",
    tabindex: 0,
    role: "region",
    "aria-labelledby": "matrix-title",
  };
  return [h("div", { key: "matrix", ...region }, table), note(attacks.axis)];
}

/** How many pages a matrix has. */
export function pagesIn(board, task) {
  return pagesOf(attacksOf(board, task)).length;
}

function pagesOf({ targets, attackers }) {
  return parts(targets, ROWS).flatMap((rows) =>
    parts(attackers, COLUMNS).map((columns) => ({ targets: rows, attackers: columns })),
  );
}

/** A list in as few parts of nearly the same length as fit. */
export function parts(list, most) {
  const count = Math.max(1, Math.ceil(list.length / most));
  const size = Math.ceil(list.length / count);
  return Array.from({ length: count }, (_, index) => list.slice(index * size, (index + 1) * size));
}

/** The same for a narrow page: release by release, the strongest attack first. */
export function attackList({ board, task, names }) {
  const attacks = attacksOf(board, task);
  if (!attacks.attackers.length || !attacks.targets.length) {
    return h("p", { key: "empty", class: "soft" }, say("nothing"));
  }
  const releases = attacks.targets.map((team) => {
    const [worst, ...others] = worstFirst(attacks, team);
    const open = attacks.attackers.filter((attacker) => attacks.answered(team, attacker));
    return h(
      "details",
      { key: team },
      h("summary", {}, h("b", {}, names(team)), " ", worst && heat(worst, attacks, names)),
      h(
        "ul",
        {},
        [worst, ...others].filter(Boolean).map((cell) => attackOf(cell, attacks, names)),
        open.map((attacker) => h("li", { key: attacker }, names(attacker), " ", tick())),
      ),
    );
  });
  return [h("div", { key: "attacks", class: "attacks" }, releases), note(attacks.axis)];
}

function attackOf(cell, attacks, names) {
  return h("li", { key: cell.attacker }, names(cell.attacker), " ", heat(cell, attacks, names));
}

function content(attacks, { team, attacker, names }) {
  const cell = attacks.cell(team, attacker);
  return cell ? heat(cell, attacks, names) : attacks.answered(team, attacker) && tick();
}

function note(axis) {
  const better = say(`better.${axis.better}`);
  const text = axis.bounded ? say("matrix.shares") : say("matrix.values", { better });
  return h("p", { key: "note", id: "matrix-note", class: "soft small" }, text);
}

function heat({ team, attacker, score }, { axis, decimals }, names) {
  const share = Math.min(1, Math.max(0, axis.place(score)));
  const colour = WORST.map((part, index) => Math.round(part + (BEST[index] - part) * share));
  const digits = isBanded(score) ? [decimalsOf([score])] : [];
  const value = number(score.value, ...digits);
  const values = { attacker: names(attacker), team: names(team), value };
  const cell = say("matrix.cell", { ...values, better: betterText(score) });
  const found =
    score.found === undefined ? "" : `; ${say("matrix.found", { n: number(score.found, 0) })}`;
  const style = { backgroundColor: `rgb(${colour.join(", ")})` };
  return h(
    "span",
    { class: "heat", title: `${cell}${found}`, style },
    number(shown(score), ...(digits.length ? digits : [decimals])),
  );
}

function tick() {
  return h(
    "span",
    { key: "answered", role: "img", "aria-label": say("answered"), title: say("answered") },
    "✓",
  );
}
