// The attacks of one task in the current round: who has attacked whom, and what is left.

import { axisOf } from "../common/scale.js";
import { decimalsOf, isBanded } from "../common/score.js";

/**
 * Attackers (teams before the judge's own), attacked releases, and functions from both to a cell or
 * to whether there was an answer whose score is not public yet.
 */
export function attacksOf(board, task) {
  const round = board.rounds.at(-1);
  const inTask = (cell) => cell.set === task.set && cell.task === task.name;
  const cells = round?.cells.filter(inTask) ?? [];
  const answers = round?.answered.filter(([, set]) => set === task.set) ?? [];
  const seen = new Set([
    ...cells.map((cell) => cell.attacker),
    ...answers.map(([, , attacker]) => attacker),
  ]);
  const teams = board.teams.map((team) => team.id).filter((id) => seen.delete(id));
  const byPair = new Map(cells.map((cell) => [`${cell.team}/${cell.attacker}`, cell]));
  const answered = new Set(answers.map(([team, , attacker]) => `${team}/${attacker}`));
  const releases = round?.releases.filter((release) => release.set === task.set) ?? [];
  return {
    attackers: [...teams, ...seen],
    targets: releases.map((release) => release.team),
    axis: axisOf(cells.map((cell) => cell.score)),
    decimals: decimalsOf(cells.map((cell) => cell.score).filter((score) => !isBanded(score))),
    cell: (team, attacker) => byPair.get(`${team}/${attacker}`),
    answered: (team, attacker) => answered.has(`${team}/${attacker}`),
  };
}

/** The cells of a release, the strongest attack first. */
export function worstFirst(attacks, team) {
  const cells = attacks.attackers.map((attacker) => attacks.cell(team, attacker));
  const place = (cell) => attacks.axis.place(cell.score);
  return cells.filter(Boolean).sort((one, other) => place(one) - place(other));
}
