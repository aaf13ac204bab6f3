// The matrix of a task: how safe each attack has left each release.

import { h } from "../common/dom.js";
import { number } from "../common/format.js";
import { say } from "../common/language.js";
import { axisOf } from "../common/scale.js";
import { betterText, decimalsOf, shown } from "../common/score.js";

const MANY = 10;
const WORST = [215, 80, 45];
const BEST = [120, 180, 230];

export function matrix({ board, task, names }) {
  const round = board.rounds.at(-1);
  const { cells, answered, attackers, targets } = contentOf(board, round, task);
  if (!attackers.length || !targets.length) {
    return h("p", { key: "empty", class: "soft" }, say("nothing"));
  }
  const axis = axisOf(cells.map((cell) => cell.score));
  const decimals = decimalsOf(cells.map((cell) => cell.score));
  const find = (team, attacker) =>
    cells.find((cell) => cell.team === team && cell.attacker === attacker);
  const content = (team, attacker) => {
    const cell = find(team, attacker);
    return cell
      ? heat(cell, { axis, decimals, names })
      : answered.has(`${team}/${attacker}`) && tick();
  };
  const head = attackers.map((id) => h("th", { scope: "col", key: id }, h("span", {}, names(id))));
  const rows = targets.map((team) => {
    const columns = attackers.map((attacker) =>
      h("td", { key: attacker }, content(team, attacker)),
    );
    return h("tr", { key: team }, h("th", { scope: "row" }, names(team)), columns);
  });
  const size = Math.max(attackers.length, targets.length) > MANY ? "many" : null;
  const table = h(
    "table",
    { class: size, "aria-describedby": "matrix-note" },
    h("thead", {}, h("tr", {}, h("td", {}), head)),
    h("tbody", {}, rows),
  );
  const region = {
    class: "scroll",
    tabindex: 0,
    role: "region",
    "aria-labelledby": "matrix-title",
  };
  return [h("div", { key: "matrix", ...region }, table), note(axis)];
}

/**
 * Cells, answers, attackers (teams before the judge's own) and attacked releases of one task in a
 * round.
 */
function contentOf(board, round, task) {
  const inTask = (cell) => cell.set === task.set && cell.task === task.name;
  const cells = round?.cells.filter(inTask) ?? [];
  const answers = round?.answered.filter(([, set]) => set === task.set) ?? [];
  const seen = new Set([
    ...cells.map((cell) => cell.attacker),
    ...answers.map(([, , attacker]) => attacker),
  ]);
  const teams = board.teams.map((team) => team.id).filter((id) => seen.delete(id));
  return {
    cells,
    answered: new Set(answers.map(([team, , attacker]) => `${team}/${attacker}`)),
    attackers: [...teams, ...seen],
    targets:
      round?.releases
        .filter((release) => release.set === task.set)
        .map((release) => release.team) ?? [],
  };
}

function note(axis) {
  const better = say(`better.${axis.better}`);
  const text = axis.bounded ? say("matrix.shares") : say("matrix.values", { better });
  return h("p", { key: "note", id: "matrix-note", class: "soft small" }, text);
}

function heat({ team, attacker, score }, { axis, decimals, names }) {
  const share = Math.min(1, Math.max(0, axis.place(score)));
  const colour = WORST.map((part, index) => Math.round(part + (BEST[index] - part) * share));
  const values = { attacker: names(attacker), team: names(team), value: number(score.value) };
  const cell = say("matrix.cell", { ...values, better: betterText(score) });
  const found =
    score.found === undefined ? "" : `; ${say("matrix.found", { n: number(score.found, 0) })}`;
  const style = { backgroundColor: `rgb(${colour.join(", ")})` };
  return h(
    "span",
    { class: "heat", title: `${cell}${found}`, style },
    number(shown(score), decimals),
  );
}

function tick() {
  return h(
    "span",
    { key: "answered", role: "img", "aria-label": say("answered"), title: say("answered") },
    "✓",
  );
}
