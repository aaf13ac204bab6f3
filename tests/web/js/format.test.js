import assert from "node:assert/strict";
import { test } from "node:test";
import { decimalsFor, number, plain } from "../../../src/icefire/web/static/common/format.js";

test("numbers have the same decimals in a column, fewer if one is large", () => {
  assert.equal(decimalsFor([0.5, 1.25]), 3);
  assert.equal(decimalsFor([0.5, 12.5]), 2);
  assert.equal(decimalsFor([0.5, 2021.3]), 0);
  assert.equal(decimalsFor([3, null, 120]), 0);
  assert.equal(decimalsFor([]), 0);
});

test("numbers are written with a fixed count of decimals", () => {
  assert.equal(number(0.31415, 2), "0.31");
  assert.equal(number(2021.3), "2,021");
  assert.equal(number(-0.001, 2), "0.00");
  assert.equal(number(null), "–");
  assert.equal(number(undefined, 2), "–");
});

test("a number by itself", () => {
  assert.equal(plain(0.123456), "0.1235");
  assert.equal(plain(150), "150");
  assert.equal(plain(12543.58), "12,544");
});
