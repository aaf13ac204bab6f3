import assert from "node:assert/strict";
import { test } from "node:test";
import { markOf } from "../../../src/icefire/web/static/audience/colours.js";
import { pilesOf, placeLabels } from "../../../src/icefire/web/static/audience/labels.js";
import { parts } from "../../../src/icefire/web/static/audience/matrix.js";
import { placeText } from "../../../src/icefire/web/static/common/format.js";
import { setLanguage } from "../../../src/icefire/web/static/common/language.js";
import { takeIn } from "../../../src/icefire/web/static/common/live.js";
import { shortNames, widthOf } from "../../../src/icefire/web/static/common/names.js";
import { axisOf } from "../../../src/icefire/web/static/common/scale.js";
import { speaker } from "../../../src/icefire/web/static/common/speaker.js";
import { methodText, stepsOf, term } from "../../../src/icefire/web/static/common/terms.js";
import {
  cue,
  direct,
  newDirector,
  stageOf,
  toldBy,
} from "../../../src/icefire/web/static/screen/director.js";
import { lessonOf } from "../../../src/icefire/web/static/screen/lessons.js";
import { leadChange, momentOf, momentsOf } from "../../../src/icefire/web/static/screen/moments.js";
import { attackTale, defenceTale } from "../../../src/icefire/web/static/screen/tales.js";

setLanguage("en");

const none = { defenders: [], attackers: [] };
const row = (team, rank) => ({ team, rank, total: 1 / rank });
const BOARD = {
  final: false,
  frozen: false,
  ceremony: none,
  phase: { round: 0, name: "attack" },
  rounds: [{ releases: [{}], cells: [{}], answered: [] }],
  total: { defenders: [row("aoi", 1), row("sora", 2)], attackers: [] },
  teams: [{ id: "aoi" }, { id: "sora" }],
  prizes: [],
};

function share(good) {
  return { value: 1 - good, better: "lower", range: [0, 1], good };
}

function attack(what, attacker, team, [before, safety] = [0.9, 0.8]) {
  const shares = { before: share(before), safety: share(safety), worth: share(0.7) };
  return { what, attacker, team, set: "s", metric: "information_loss", ...shares };
}

function keyOf(item, past = []) {
  return momentOf(item, past)?.key;
}

test("first blood is drawn by a team, not by the judge", () => {
  const judge = attack("lowered", "*sort", "sora");
  const first = attack("lowered", "aoi", "sora");
  assert.equal(keyOf(judge), "moment.hit");
  assert.equal(keyOf(first, [judge]), "moment.first_blood");
  assert.equal(keyOf(attack("lowered", "sora", "aoi"), [judge, first]), "moment.hit");
});

test("a release falls once, and a heavy blow is told", () => {
  const past = [attack("lowered", "ren", "aoi")];
  assert.equal(keyOf(attack("lowered", "aoi", "sora", [0.5, 0.05]), past), "moment.fall");
  assert.equal(keyOf(attack("lowered", "aoi", "sora", [0.05, 0.01]), past), "moment.hit");
  assert.equal(keyOf(attack("lowered", "aoi", "sora", [0.9, 0.6]), past), "moment.blow");
});

test("streaks of attackers and of defenders are counted, and end", () => {
  const hits = [1, 2].map(() => attack("lowered", "aoi", "sora"));
  assert.deepEqual(
    [momentOf(attack("lowered", "aoi", "ren"), hits)].map(({ key, n }) => [key, n]),
    [["moment.streak", 3]],
  );
  const ended = [...hits, attack("held", "aoi", "ren")];
  assert.equal(keyOf(attack("lowered", "aoi", "ren"), ended), "moment.hit");
  const held = ["aoi", "ren"].map((who) => attack("held", who, "sora"));
  assert.equal(keyOf(attack("held", "yuki", "sora"), held), "moment.fortress");
});

test("a second release comes back, and a new round begins anew", () => {
  const released = { what: "released", team: "aoi", set: "s" };
  assert.equal(keyOf(released), "moment.entrance");
  assert.equal(keyOf(released, [released]), "moment.again");
  const opened = { what: "phase_opened", phase: "defence", round: "final" };
  assert.equal(keyOf(released, [released, opened]), "moment.entrance");
});

test("the lead changes hands between two boards of one round", () => {
  const other = { ...BOARD, total: { ...none, defenders: [row("sora", 1), row("aoi", 2)] } };
  assert.deepEqual(leadChange(BOARD, other).item, { team: "sora", before: "aoi" });
  assert.equal(leadChange(BOARD, BOARD), null);
  const tied = { ...BOARD, total: { ...none, defenders: [row("sora", 1.5), row("aoi", 1.5)] } };
  assert.equal(leadChange(BOARD, tied), null);
  assert.equal(leadChange(null, other), null);
  assert.equal(leadChange({ ...BOARD, frozen: true }, other), null);
});

test("the stage follows the contest", () => {
  assert.equal(stageOf(BOARD), "attack");
  assert.equal(stageOf({ ...BOARD, phase: null }), "between");
  assert.equal(stageOf({ ...BOARD, phase: null, rounds: [] }), "before");
  assert.equal(stageOf({ ...BOARD, frozen: true }), "frozen");
  const ceremony = { ...none, attackers: [{}] };
  assert.equal(stageOf({ ...BOARD, frozen: true, ceremony }), "ceremony");
  assert.equal(stageOf({ ...BOARD, final: true }), "final");
});

test("scenes take turns, and a moment interrupts them after a while", () => {
  const director = newDirector();
  const first = direct(director, BOARD, 0);
  assert.equal(first, direct(director, BOARD, 4000));
  assert.notEqual(first.name, direct(director, BOARD, 12_000).name);
  cue(director, [momentOf(attack("held", "aoi", "sora"), [])], 13_000);
  assert.equal(direct(director, BOARD, 13_000).moment, undefined);
  assert.equal(direct(director, BOARD, 17_100).name, "duel");
  director.held = true;
  assert.equal(direct(director, BOARD, 99_000).name, "duel");
});

test("in a crowd small moments are left out, and every team of the ceremony is shown", () => {
  const director = newDirector();
  direct(director, BOARD, 0);
  const held = momentOf(attack("held", "aoi", "sora"), []);
  const unveiled = momentOf({ what: "unveiled", of: "attack", team: "aoi" }, []);
  cue(director, [held, held, held, unveiled, unveiled, unveiled, unveiled, unveiled], 0);
  const seen = [];
  for (let now = 100; now < 60_000; now += 100) {
    const scene = direct(director, BOARD, now);
    if (scene !== seen.at(-1)) {
      seen.push(scene);
    }
  }
  assert.equal(seen.filter(({ name }) => name === "unveiled").length, 5);
  assert.equal(seen.filter(({ name }) => name === "duel").length, 0);
});

test("labels of forty points cover neither each other nor a point", () => {
  const points = Array.from({ length: 40 }, (_, index) => ({
    x: 100 + ((index * 397) % 900),
    y: 80 + ((index * 211) % 560),
    width: 150,
    height: 30,
  }));
  const area = { left: 0, right: 1260, top: 0, bottom: 760 };
  const labels = placeLabels(points, area, { radius: 12, rings: 9 });
  assert.ok(labels.filter(Boolean).length >= 38, "nearly all have room");
  labels.forEach((one, index) => {
    for (const other of labels.slice(index + 1)) {
      const apart =
        !one || !other || Math.abs(one.x - other.x) >= 150 || Math.abs(one.y - other.y) >= 30;
      assert.ok(apart, `label ${index}`);
    }
    for (const point of points) {
      assert.ok(!one || Math.abs(one.x - point.x) >= 75 || Math.abs(one.y - point.y) >= 15);
    }
  });
});

test("forty teams have marks of their own", () => {
  const board = { teams: Array.from({ length: 40 }, (_, id) => ({ id })) };
  const marks = board.teams.map(({ id }) => markOf(board, id));
  const pairs = marks.map(({ colour, shape }) => `${colour} ${shape}`);
  assert.equal(new Set(pairs).size, 40);
});

test("shared places are marked", () => {
  assert.equal(placeText(2.5, 2), "2=");
  assert.equal(placeText(2, 3), "1=");
  assert.equal(placeText(4, 1), "4");
  assert.equal(placeText(null, 3), "–");
});

test("short names stay different", () => {
  const names = new Map([
    ["a", "the very same beginning, first"],
    ["b", "the very same beginning, second"],
    ["c", "匿名加工情報研究会"],
  ]);
  const short = shortNames([...names.keys()], (id) => names.get(id), 12);
  assert.equal(new Set(short.values()).size, 3);
  assert.ok([...short.values()].every((text) => widthOf(text) <= 12));
});

test("lists are split into parts of nearly the same length", () => {
  const list = Array.from({ length: 40 }, (_, index) => index);
  assert.deepEqual(
    parts(list, 24).map((part) => part.length),
    [20, 20],
  );
  assert.deepEqual(parts([], 24), [[]]);
});

test("methods are named in words; what is not ours is left as it is", () => {
  assert.equal(term("k_anonymity"), "k-anonymity");
  assert.equal(term("my_own_metric"), "my own metric");
  const method = "mondrian(k=5, columns=[age, sex]), noise(scale=0.3)";
  assert.deepEqual(stepsOf(method), ["mondrian", "noise"]);
  assert.equal(methodText(method), "Mondrian k-anonymity (k=5) + noise");
  assert.equal(methodText("noise, and prayers"), "noise, and prayers");
  setLanguage("ja");
  assert.equal(methodText("euclid"), "最近傍探索");
  setLanguage("en");
});

test("a method has its lesson", () => {
  assert.equal(lessonOf("pseudonyms"), "lesson.names");
  assert.equal(lessonOf("noise(scale=2.0)"), "lesson.noise");
  assert.equal(lessonOf("mondrian(k=5)"), "lesson.classes");
  assert.equal(lessonOf("mondrian(k=5), swap(window=0.1)"), "lesson.mixed");
  assert.equal(lessonOf("something else"), null);
  assert.equal(lessonOf(undefined), null);
});

test("a zoomed axis begins where the scores do", () => {
  const axis = axisOf([share(0.63), share(0.9)], true);
  assert.deepEqual(
    axis.ticks.map(({ value }) => value.toFixed(1)),
    ["0.6", "0.7", "0.8", "0.9", "1.0"],
  );
  assert.ok(Math.abs(axis.place(share(0.8)) - 0.5) < 1e-9);
});

test("screen readers hear a sentence every few seconds", () => {
  const speak = speaker((text, n) => `${text} +${n}`, 1000);
  assert.equal(speak(["one"], 0), "one");
  assert.equal(speak(["two"], 500), "one");
  assert.equal(speak(["three"], 1200), "three +1");
  assert.equal(speak([], 9000), "three +1");
});

test("a team's story tells its method, its hardest hit and its best blow", () => {
  const story = [
    { what: "released", team: "sora", method: "noise" },
    { ...attack("lowered", "aoi", "sora", [0.9, 0.4]), left: share(0.4), method: "rank" },
    { ...attack("held", "ren", "sora", [0.4, 0.4]), left: share(0.8) },
  ];
  assert.deepEqual(defenceTale("sora", story, String), [
    "Release: noise",
    "Utility 0.70, safety 0.40",
    "1 of 2 attacks left more than half of its safety",
    "Hardest hit by aoi with ranks of amounts: 0.40 left",
  ]);
  assert.deepEqual(attackTale("aoi", story, String), [
    "1 of 1 attacks left less than half",
    "Drew first blood",
    "Strongest attack: sora, 0.40 left, with ranks of amounts",
  ]);
  assert.deepEqual(attackTale("yuki", story, String), ["Has not been seen so far"]);
  // The ceremony tells the end; while results are sealed nothing else is said of attacks.
  const sealed = [story[0], { what: "answered", attacker: "aoi", team: "sora", set: "s" }];
  const end = { worth: share(0.7), safety: share(0.317), attacker: "aoi", method: "rank" };
  assert.deepEqual(defenceTale("sora", sealed, String, [{ set: "s", ...end }]), [
    "Release: noise",
    "Utility 0.70, safety 0.32",
    "Attacks on it: 1",
    "Hardest hit by aoi with ranks of amounts: 0.32 left",
  ]);
  assert.deepEqual(attackTale("aoi", sealed, String), ["Attacks: 1"]);
});

test("a strong attack that sets no new low is not held", () => {
  const held = (left, safety) => ({
    ...attack("held", "aoi", "sora", [safety, safety]),
    left: share(left),
  });
  assert.equal(keyOf(held(0.9, 0.8)), "moment.held");
  assert.equal(keyOf(held(0.2, 0.1)), "moment.struck");
  assert.equal(keyOf(held(0.9, 0.1)), "moment.weaker");
  const hits = [attack("lowered", "aoi", "ren"), held(0.2, 0.1)];
  assert.equal(momentOf(attack("lowered", "aoi", "yuki"), hits).key, "moment.streak");
});

test("nothing is told before its scene", () => {
  const director = newDirector();
  direct(director, BOARD, 0);
  const story = [1, 2, 3].map((id) => ({ id, what: "unveiled", of: "attack", team: "aoi" }));
  const ids = () => toldBy(director, story).map(({ id }) => id);
  cue(director, momentsOf(story.slice(1), story.slice(0, 1)), 100);
  assert.deepEqual(ids(), [1]);
  direct(director, BOARD, 100);
  assert.deepEqual(ids(), [1], "the stage keeps its secret for a moment");
  direct(director, BOARD, 6000);
  assert.deepEqual(ids(), [1, 2]);
  direct(director, BOARD, 16_000);
  assert.deepEqual(ids(), [1, 2, 3]);
});

test("what the thaw tells of attacks is no moment after the ceremony", () => {
  const items = [
    attack("lowered", "aoi", "sora", [0.9, 0.1]),
    { what: "awarded", team: "aoi", prize: "best talk" },
    { what: "thawed" },
    { what: "finalized" },
  ];
  assert.deepEqual(
    momentsOf(items, []).map(({ kind }) => kind),
    ["prizes"],
  );
});

test("points that lie on each other are found, and no others", () => {
  const points = [100, 300, 101, 108, 300, 500].map((x) => ({ x, y: 100 }));
  assert.deepEqual(
    pilesOf(points, 8).map((pile) => pile.toSorted((one, other) => one - other)),
    [
      [0, 2, 3],
      [1, 4],
    ],
  );
  assert.deepEqual(pilesOf(points, 0), []);
});

test("a story that is told in full says it in the old place, and is no news", () => {
  const story = [{ id: 1, what: "answered" }];
  const items = [
    { id: 2, what: "thawed" },
    { id: 3, what: "lowered", replaces: 1 },
  ];
  assert.deepEqual(
    takeIn(story, items).map(({ id }) => id),
    [2],
  );
  assert.deepEqual(
    story.map(({ id, what }) => [id, what]),
    [
      [1, "lowered"],
      [2, "thawed"],
    ],
  );
});
