// Scores as the server sends them: { value, better, range, good, found? }.

import { decimalsFor, number } from "./format.js";
import { say } from "./language.js";

/**
 * The number to show: the share of what is good, or the value itself if the metric is unbounded.
 */
export function shown(score) {
  return score.good ?? score.value;
}

/**
 * How many decimals show scores of one metric: two for shares, fewer for large values, and no more
 * than are known of scores of which only a band is public.
 */
export function decimalsOf(scores) {
  const bounded = scores.every((score) => score.good !== null);
  const most = bounded ? 2 : decimalsFor(scores.map(shown), 2);
  return Math.min(most, ...scores.filter(isBanded).map(decimalsOfBand));
}

/** Whether only a band is public, in which the exact value certainly lies. */
export function isBanded({ interval, confidence }) {
  return Boolean(interval) && confidence === 1;
}

function decimalsOfBand({ interval: [low, high] }) {
  // At the ends of a scale only half of a band is left.
  return Math.max(0, Math.floor(0.01 - Math.log10(high - low)));
}

/** A score as a short text; a dash without one. */
export function scoreText(score) {
  return score ? number(shown(score), decimalsOf([score])) : number(null);
}

/** Two scores of one metric with as many decimals, at most two more, as tell them apart. */
export function distinctTexts(first, second) {
  const fewest = decimalsOf([first, second]);
  if ([first, second].every(isBanded)) {
    return [first, second].map(scoreText);
  }
  const texts = (decimals) => [first, second].map((score) => number(shown(score), decimals));
  const several = [fewest, fewest + 1, fewest + 2].map(texts);
  return several.find(([left, right]) => left !== right) ?? several[0];
}

/** Which values are good, in words. */
export function betterText(score) {
  return say(`better.${score.better}`);
}
