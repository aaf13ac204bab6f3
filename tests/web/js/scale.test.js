import assert from "node:assert/strict";
import { test } from "node:test";
import { axisOf } from "../../../src/icefire/web/static/common/scale.js";

function unbounded(value, better = "lower") {
  return { value, better, range: [0, null], good: null };
}

function bounded(value, good) {
  return { value, better: "lower", range: [0, 1], good };
}

function ticks(axis) {
  return axis.ticks.map(({ value }) => value);
}

test("scores with a bounded range lie at their share of what is good", () => {
  const axis = axisOf([bounded(0.3, 0.7), bounded(1, 0)]);
  assert.equal(axis.bounded, true);
  assert.equal(axis.place(bounded(0.3, 0.7)), 0.7);
  assert.deepEqual(ticks(axis), [0, 0.25, 0.5, 0.75, 1]);
});

test("without scores the axis goes from 0 to 1", () => {
  assert.deepEqual(ticks(axisOf([])), [0, 0.25, 0.5, 0.75, 1]);
});

test("an unbounded metric is scaled by the values seen, with the better end at 1", () => {
  const axis = axisOf([unbounded(2021.3), unbounded(410), unbounded(0)]);
  assert.equal(axis.bounded, false);
  assert.deepEqual(ticks(axis), [0, 1000, 2000, 3000]);
  assert.equal(axis.place(unbounded(0)), 1);
  assert.equal(axis.place(unbounded(3000)), 0);
  assert.ok(axis.place(unbounded(410)) > axis.place(unbounded(2021.3)));
  assert.equal(axis.decimals, 0);
});

test("where higher is better, higher values lie further to the good end", () => {
  const axis = axisOf([unbounded(1, "higher"), unbounded(9, "higher")]);
  assert.deepEqual(ticks(axis), [0, 2, 4, 6, 8, 10]);
  assert.equal(axis.place(unbounded(10, "higher")), 1);
});

test("small values have ticks with enough decimals", () => {
  const axis = axisOf([unbounded(0.0012), unbounded(0.0031)]);
  assert.equal(axis.decimals, 4);
  assert.equal(
    new Set(ticks(axis).map((value) => value.toFixed(axis.decimals))).size,
    axis.ticks.length,
  );
});

test("one value, or the same value twice, still has an axis around it", () => {
  for (const value of [0, 0.02, 5, 2021.3]) {
    const axis = axisOf([unbounded(value), unbounded(value)]);
    const place = axis.place(unbounded(value));
    assert.ok(place > 0 && place <= 1, `${value} lies at ${place}`);
    assert.ok(axis.ticks.length >= 2);
    assert.ok(ticks(axis).every((tick) => tick >= 0));
  }
});

test("negative values are held too", () => {
  const axis = axisOf(
    [-3, 4].map((value) => ({ value, better: "higher", range: [null, null], good: null })),
  );
  assert.deepEqual(ticks(axis), [-4, -2, 0, 2, 4]);
});
