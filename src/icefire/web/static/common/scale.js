// Axes of scores: where a score lies from 0 (worst) to 1 (best for the defender), and the ticks.

const TINY = 1e-9;
// Where a zoomed axis begins at the latest.
const NARROWEST = 0.6;

/**
 * The axis of `scores`: their share of what is good, or the range of the values seen if a metric is
 * unbounded. With `zoom` an axis of shares begins where the scores do.
 */
export function axisOf(scores, zoom = false) {
  if (scores.some((score) => score.good === null)) {
    return valueAxis(scores);
  }
  return zoom ? zoomedAxis(scores.map((score) => score.good)) : shareAxis();
}

function shareAxis(low = 0, step = 0.25) {
  const place = (share) => (share - low) / (1 - low);
  const ticks = multiples(step, low, 1).map((share) => ({ place: place(share), value: share }));
  return { bounded: true, decimals: 2, ticks, place: (score) => place(score.good) };
}

function zoomedAxis(shares) {
  const low = shares.length ? Math.min(NARROWEST, Math.floor(10 * Math.min(...shares)) / 10) : 0;
  return shareAxis(low, low > 0 ? 0.1 : 0.25);
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
