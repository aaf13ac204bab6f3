// Prizes: who is in front, and who has won.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";

const MOST = 4;

/** The prizes of a contest; nothing if there are none. */
export function prizes(board, names) {
  if (!board.prizes.length) {
    return null;
  }
  // The ceremony is about who wins, not about who was in front.
  const { defenders, attackers } = board.ceremony;
  const text = (prize) =>
    holder(defenders.length + attackers.length ? { ...prize, rows: [] } : prize, names);
  return h(
    "section",
    { key: "prizes", id: "prizes" },
    h("h2", {}, say("prizes")),
    h(
      "dl",
      {},
      board.prizes.map((prize) =>
        h("div", { key: prize.name }, h("dt", {}, prize.name), h("dd", {}, text(prize))),
      ),
    ),
  );
}

/** Who has won a prize, or is in front, in words. */
export function holder({ rows, winners }, names) {
  if (winners.length) {
    return say("prize.winner", { teams: winners.map(names).join(", ") });
  }
  const first = rows.filter((row) => row.rank !== null && row.rank === rows[0].rank);
  if (first.length > MOST) {
    return say("prize.many", { n: first.length });
  }
  return first.length
    ? say("prize.leading", { teams: first.map((row) => names(row.team)).join(", ") })
    : say("prize.open");
}
