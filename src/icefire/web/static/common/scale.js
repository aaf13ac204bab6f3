// Axes of scores: where a score lies from 0 (worst) to 1 (best for the defender), and the ticks.

const TINY = 1e-9;

/**
 * The axis of `scores`: their share of what is good, or the range of the values seen if a metric is
 * unbounded.
 */
export function axisOf(scores) {
  return scores.every((score) => score.good !== null) ? shareAxis() : valueAxis(scores);
}

function shareAxis() {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) => ({ place: share, value: share }));
  return { bounded: true, decimals: 2, ticks, place: (score) => score.good };
}

function valueAxis(scores) {
  const [{ better, range }] = scores;
  const values = scores.map((score) => score.value);
  const { low, high, step } = roundRange(Math.min(...values), Math.max(...values), range);
  const place = (value) => (better === "higher" ? value - low : high - value) / (high - low);
  return {
    bounded: false,
    better,
    decimals: Math.max(0, -Math.floor(Math.log10(step) + TINY)),
    ticks: multiples(step, low, high).map((value) => ({ place: place(value), value })),
    place: (score) => place(score.value),
  };
}

/**
 * A range that holds both values, ends at round numbers, and stays within what the metric can
 * reach.
 */
export function roundRange(smallest, largest, [least, most]) {
  const alike = largest === smallest;
  const step = roundStep((alike ? Math.abs(largest) || 1 : largest - smallest) / 4);
  const margin = alike ? step : 0;
  const low = Math.floor(smallest / step) * step - margin;
  const high = Math.ceil(largest / step) * step + margin;
  return { step, low: Math.max(low, least ?? low), high: Math.min(high, most ?? high) };
}

function multiples(step, low, high) {
  const first = Math.ceil(low / step - TINY);
  const last = Math.floor(high / step + TINY);
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** The smallest of 1, 2, 5, 10, 20, 50, ... (or 0.5, 0.2, ...) that is not below `size`. */
function roundStep(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return power * [1, 2, 5, 10].find((factor) => factor * power >= size * (1 - TINY));
}
