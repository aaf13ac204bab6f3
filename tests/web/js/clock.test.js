import assert from "node:assert/strict";
import { test } from "node:test";
import {
  now,
  progress,
  synchronize,
  timeLeft,
} from "../../../src/icefire/web/static/common/clock.js";

const schedule = [
  { round: 0, phase: "attack", opens: "2026-01-01T02:00:00Z", closes: "2026-01-01T03:00:00Z" },
  { round: 0, phase: "defence", opens: "2026-01-01T00:00:00Z", closes: "2026-01-01T01:00:00Z" },
];
const at = (time) => Date.parse(`2026-01-01T${time}Z`);

test("before and between phases the clock runs to the next opening", () => {
  const before = progress({ phase: null, schedule, final: false }, at("01:30:00"));
  assert.deepEqual(before, { state: "before", until: at("02:00:00") });
});

test("in a phase the clock runs to its end", () => {
  const phase = { round: 0, name: "attack" };
  const open = progress({ phase, schedule, final: false }, at("02:10:00"));
  assert.deepEqual(open, { state: "attack", until: at("03:00:00") });
});

test("after the last phase, and when results are final, there is no countdown", () => {
  const after = progress({ phase: null, schedule, final: false }, at("04:00:00"));
  assert.deepEqual(after, { state: "over", until: null });
  const late = progress(
    { phase: null, schedule: schedule.slice(0, 1), final: false },
    at("02:00:01"),
  );
  assert.deepEqual(late, { state: "between", until: null });
  const ceremony = { defenders: [], attackers: [{}] };
  const unveiling = progress({ phase: null, schedule, final: false, ceremony }, at("04:00:00"));
  assert.deepEqual(unveiling, { state: "ceremony", until: null });
  const final = progress({ phase: null, schedule, final: true }, at("04:00:00"));
  assert.deepEqual(final, { state: "final", until: null });
});

test("time left is written as a clock", () => {
  assert.deepEqual(timeLeft(65_900), { days: 0, text: "01:05" });
  assert.deepEqual(timeLeft(3_665_000), { days: 0, text: "1:01:05" });
  assert.deepEqual(timeLeft(2 * 86_400_000), { days: 2, text: "0:00:00" });
  assert.deepEqual(timeLeft(-5), { days: 0, text: "00:00" });
});

test("the server's clock decides", () => {
  const server = new Date(Date.now() - 3_600_000);
  synchronize(server.toUTCString());
  assert.ok(Math.abs(now() - server.getTime()) < 2000);
  synchronize(null);
  assert.ok(Math.abs(now() - server.getTime()) < 2000, "an answer without a date changes nothing");
});
