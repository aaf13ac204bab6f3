// Moments that people cheer at, found in the story. A moment is { kind, weight, item, n }: what the
// scene is about, and how much it matters.

import { outcomeOf } from "../audience/story.js";
import { isJudge } from "../common/names.js";

const FALLEN = 0.1;
const HEAVY = 0.25;
const STREAK = 3;
const HITS = ["lowered", "struck"];

/** The moments of news: items of the story, of which those `before` are over. */
export function momentsOf(items, before) {
  // What the thaw tells of attacks is over, and the ceremony has told how they ended.
  const thawed = items.findLastIndex(({ what }) => what === "thawed");
  return items
    .map((item, index) => {
      const moment = momentOf(item, [...before, ...items.slice(0, index)]);
      return index > thawed || moment?.weight === 9 ? moment : null;
    })
    .filter(Boolean);
}

/** The moment of an item after all items `past`, or null if it is not worth a scene. */
export function momentOf(item, past) {
  const find = MOMENTS[item.what];
  return find ? { item, ...find(item, inRound(past)) } : null;
}

const MOMENTS = {
  phase_opened: (item) => ({ kind: "phase", key: `moment.phase.${item.phase}`, weight: 4 }),
  released: entrance,
  lowered: hit,
  held,
  answered: () => ({ kind: "duel", key: "moment.answered", weight: 1 }),
  frozen: () => ({ kind: "freeze", weight: 5 }),
  unveiled: () => ({ kind: "unveiled", weight: 9 }),
  awarded: () => ({ kind: "prizes", weight: 9 }),
};

/** Items since the defence of the current round has opened. */
function inRound(past) {
  const begin = past.findLastIndex(
    ({ what, phase }) => what === "phase_opened" && phase === "defence",
  );
  return past.slice(begin + 1);
}

function entrance(item, past) {
  const before = past.some(
    ({ what, team, set }) => what === "released" && team === item.team && set === item.set,
  );
  return before
    ? { kind: "entrance", key: "moment.again", weight: 2 }
    : { kind: "entrance", key: "moment.entrance", weight: 3 };
}

function hit(item, past) {
  const duel = (key, weight, n) => ({ kind: "duel", key, weight, n });
  if (fallen(item.safety) && !fallen(item.before)) {
    return duel("moment.fall", 5);
  }
  if (isJudge(item.attacker)) {
    return duel("moment.hit", 1);
  }
  if (!past.some(({ what, attacker }) => what === "lowered" && !isJudge(attacker))) {
    return duel("moment.first_blood", 5);
  }
  const row = 1 + streak(past, HITS, ({ attacker }) => attacker === item.attacker);
  if (row >= STREAK) {
    return duel("moment.streak", row === STREAK ? 4 : 3, row);
  }
  return dropOf(item) >= HEAVY ? duel("moment.blow", 4) : duel("moment.hit", 2);
}

function held(item, past) {
  const outcome = outcomeOf(item);
  if (outcome !== "held") {
    return { kind: "duel", key: `moment.${outcome}`, weight: 1 };
  }
  const row = 1 + streak(past, ["held"], ({ team, set }) => team === item.team && set === item.set);
  return row >= STREAK && row % STREAK === 0
    ? { kind: "duel", key: "moment.fortress", weight: 3, n: row }
    : { kind: "duel", key: "moment.held", weight: 1 };
}

function fallen(score) {
  return (score?.good ?? 1) < FALLEN;
}

/** How much of a release's safety an attack has taken; before the first one there is all of it. */
export function dropOf({ before, safety }) {
  const was = before ? before.good : 1;
  return was === null || safety?.good === null ? 0 : was - (safety?.good ?? was);
}

/** How many of the latest attacks, of those that `concern` the same, had one of some outcomes. */
function streak(past, outcomes, concern) {
  const attacks = past.filter(
    (item) => (item.what === "lowered" || item.what === "held") && concern(item),
  );
  const other = attacks.findLastIndex((item) => !outcomes.includes(outcomeOf(item)));
  return attacks.length - 1 - other;
}

/** The moment when the lead changes hands between two boards, or null. */
export function leadChange(before, after) {
  const [was, is] = [before, after].map((board) => leaderOf(board));
  const sameRound = before?.rounds.length === after?.rounds.length;
  const attacked = after?.rounds.at(-1)?.cells.length;
  // What the thaw shows was unveiled before.
  return was && is && was !== is && sameRound && attacked && !before.frozen && !after.final
    ? { kind: "lead", key: "moment.lead", weight: 5, item: { team: is, before: was } }
    : null;
}

/** The team that leads alone. */
export function leaderOf(board) {
  const rows = board?.total.defenders.filter((row) => row.rank !== null) ?? [];
  return rows.length > 1 && rows[0].rank < rows[1].rank ? rows[0].team : null;
}
