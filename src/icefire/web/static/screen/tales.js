// A team's story, told from what the public has heard: as a defender and as an attacker.

import { actors, measured, methodOf } from "../audience/story.js";
import { say } from "../common/language.js";
import { isJudge } from "../common/names.js";
import { methodText } from "../common/terms.js";

const ATTACKS = new Set(["lowered", "held", "answered"]);
const HALF = 0.5;

/**
 * Sentences about a team as a defender; `end` are its releases as they stand in the end, if the
 * ceremony has told.
 */
export function defenceTale(team, story, names, end = []) {
  const release = latestRelease(team, story);
  const attacks = story.filter((item) => ATTACKS.has(item.what) && item.team === team);
  const last = end[0] ?? attacks.findLast((item) => item.worth) ?? release;
  const hardest = end[0]?.attacker ? { ...end[0], left: end[0].safety } : strongest(attacks);
  const told = [
    release?.method && say("tale.method", { method: methodText(release.method) }),
    last?.worth && last.safety && say("tale.worth", measured(last)),
    counted(attacks, "tale.held", "tale.attacked"),
    hardest && blow("hurt", hardest, names),
  ].filter(Boolean);
  return told.length ? told : [say("tale.none")];
}

/** Sentences about a team as an attacker. */
export function attackTale(team, story, names) {
  const attacks = story.filter((item) => ATTACKS.has(item.what) && item.attacker === team);
  const first = story.find((item) => item.what === "lowered" && !isJudge(item.attacker));
  const best = strongest(attacks);
  const told = [
    counted(attacks, "tale.hits", "tale.attacks"),
    first?.attacker === team && say("tale.first"),
    best && blow("best", best, names),
  ].filter(Boolean);
  return told.length ? told : [say("tale.none")];
}

/** The latest release of a team that the public has heard of. */
export function latestRelease(team, story) {
  return story.findLast((item) => item.what === "released" && item.team === team);
}

/** How many attacks left how much; only how many there were, if not all of that is public. */
function counted(attacks, measuredKey, countKey) {
  const of = attacks.length;
  if (of === 0) {
    return null;
  }
  const shares = attacks.map(({ left }) => left?.good ?? null);
  const held = shares.filter((share) => share >= HALF).length;
  return shares.includes(null)
    ? say(countKey, { of })
    : say(measuredKey, { held, hits: of - held, of });
}

/** The attack that left least, of those of which that is public. */
function strongest(attacks) {
  const known = attacks.filter(({ left }) => (left?.good ?? null) !== null);
  return known.toSorted((one, other) => one.left.good - other.left.good)[0];
}

function blow(kind, attack, names) {
  const key = methodOf(attack) ? `tale.${kind}.with` : `tale.${kind}`;
  return say(key, { ...measured(attack), ...actors(attack, names) });
}
