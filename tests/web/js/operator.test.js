import assert from "node:assert/strict";
import { test } from "node:test";
import { setLanguage } from "../../../src/icefire/web/static/common/language.js";
import { control } from "../../../src/icefire/web/static/operator/control.js";

setLanguage("en");

const DAY = 86_400_000;
const entry = (phase, from, to) => ({
  round: 0,
  phase,
  opens: new Date(Date.now() + from * DAY).toISOString(),
  closes: new Date(Date.now() + to * DAY).toISOString(),
});

/** The names of the actions that the operator is offered. */
function offered(board) {
  const act = { button: ({ name }) => name, outcome: () => null };
  const page = control({
    board: { freezes: [], waiting: 0, paused: false, frozen: false, final: false, ...board },
    names: (team) => team,
    act,
  });
  return page.children.flatMap((part) =>
    part?.attributes?.class === "row" ? part.children : [],
  )[2];
}

test("a phase can be closed while it is open, and opened as long as one is left", () => {
  const attack = { round: 0, name: "attack" };
  const schedule = [entry("defence", -2, -1), entry("attack", -1, 1)];
  assert.ok(offered({ schedule, phase: attack }).includes("close"));
  const later = [entry("defence", -2, -1), entry("attack", 1, 2)];
  assert.ok(offered({ schedule: later, phase: null }).includes("open"));
  const past = [entry("defence", -2, -1), entry("attack", -1, -0.5)];
  const names = offered({ schedule: past, phase: null, frozen: true });
  assert.ok(!names.includes("open"));
  assert.ok(!names.includes("close"));
  assert.ok(names.includes("unveil"));
});
