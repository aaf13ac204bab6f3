import assert from "node:assert/strict";
import { test } from "node:test";
import { refresher } from "../../../src/icefire/web/static/common/refresh.js";

const pause = () => new Promise((resolve) => setTimeout(resolve, 2));

test("calls during a load lead to one more load, and all wait for it", async () => {
  let loads = 0;
  let running = 0;
  const refresh = refresher(async () => {
    running += 1;
    assert.equal(running, 1, "two loads at the same time");
    await pause();
    loads += 1;
    running -= 1;
  });
  await Promise.all([refresh(), refresh(), refresh()]);
  assert.equal(loads, 2);
  await refresh();
  assert.equal(loads, 3);
});

test("nobody waits for news that come later, however many there are", async () => {
  let loads = 0;
  const refresh = refresher(async () => {
    loads += 1;
    if (loads < 20) {
      refresh();
    }
    await pause();
  });
  await refresh();
  assert.equal(loads, 1);
  await refresh();
  assert.ok(loads <= 3, `${loads} loads`);
});

test("a server that is away is asked again", async () => {
  const answers = [0, 503, null];
  const refresh = refresher(async () => {
    const status = answers.shift();
    if (status !== null) {
      throw Object.assign(new Error("away"), { status });
    }
  }, 1);
  await refresh();
  assert.deepEqual(answers, []);
});

test("other failures are not hidden, and do not end it", async () => {
  let fail = true;
  const refresh = refresher(async () => {
    if (fail) {
      throw new TypeError("a mistake in the page");
    }
  });
  await assert.rejects(refresh(), TypeError);
  fail = false;
  await refresh();
});
