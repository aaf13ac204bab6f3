// Scores as the server sends them: { value, better, range, good, found? }.

import { decimalsFor, number } from "./format.js";
import { say } from "./language.js";

/**
 * The number to show: the share of what is good, or the value itself if the metric is unbounded.
 */
export function shown(score) {
  return score.good ?? score.value;
}

/** That number with two decimals, or fewer if it is large; a dash without a score. */
export function shortText(score) {
  return score ? number(shown(score), decimalsFor([shown(score)], 2)) : number(null);
}

/** Which values are good, in words. */
export function betterText(score) {
  return say(`better.${score.better}`);
}
