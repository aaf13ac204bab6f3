import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctTexts, scoreText } from "../../../src/icefire/web/static/common/score.js";

function share(good) {
  return { value: 1 - good, better: "lower", range: [0, 1], good };
}

function value(number) {
  return { value: number, better: "lower", range: [0, null], good: null };
}

test("shares of what is good have two decimals, unbounded values as few as they need", () => {
  assert.equal(scoreText(share(0.3)), "0.30");
  assert.equal(scoreText(share(1)), "1.00");
  assert.equal(scoreText(value(2021.3)), "2,021");
  assert.equal(scoreText(value(0)), "0");
  assert.equal(scoreText(null), "–");
});

test("two scores get the decimals that tell them apart", () => {
  assert.deepEqual(distinctTexts(share(1), share(0)), ["1.00", "0.00"]);
  assert.deepEqual(distinctTexts(share(0.053), share(0.047)), ["0.053", "0.047"]);
  assert.deepEqual(distinctTexts(share(0.5301), share(0.5304)), ["0.5301", "0.5304"]);
  assert.deepEqual(distinctTexts(share(0.5), share(0.5)), ["0.50", "0.50"]);
  assert.deepEqual(distinctTexts(value(2021.3), value(1804.9)), ["2,021", "1,805"]);
});

test("of a score in a band no more is shown than is public", () => {
  const band = (good, interval) => ({ ...share(good), interval, confidence: 1 });
  assert.equal(scoreText(band(0.4, [0.55, 0.65])), "0.4");
  assert.equal(scoreText(band(0.6, [0.35, 0.45])), "0.6");
  assert.equal(scoreText(band(1, [0, 0.05])), "1.0");
  const pair = distinctTexts(band(0.4, [0.55, 0.65]), band(0.4, [0.55, 0.65]));
  assert.deepEqual(pair, ["0.4", "0.4"]);
  assert.equal(scoreText({ ...share(0.42), interval: [0.5, 0.6], confidence: 0.95 }), "0.42");
});
