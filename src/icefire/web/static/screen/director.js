// The director: which scene is shown when. It knows the public board and story, and nothing else.

export const MOMENT = { long: 8000, short: 4600 };
const TURN = 11_000;
const LEAST = 5000;
const STALE = 30_000;
const IN_A_ROW = 3;
const CROWDED = 4;
const SOLEMN = 9;

// Scenes that take turns while nothing happens.
const TURNS = {
  before: ["opening", "lineup", "lesson"],
  // Before the first attack all releases are equally safe: there is no map to look at.
  defence: ["opening", "lineup", "lesson"],
  between: ["lesson", "standings", "map"],
  attack: ["map", "matrix", "lesson", "standings"],
  frozen: ["freeze", "map", "lesson", "matrix"],
  ceremony: ["ceremony"],
  final: ["podium", "prizes", "fire", "tales", "map", "matrix"],
};

export function newDirector() {
  return {
    queue: [],
    scene: null,
    until: 0,
    least: 0,
    turns: {},
    last: null,
    row: 0,
    held: false,
    count: 0,
  };
}

/** Where a contest is: which scenes make sense. */
export function stageOf({ final, ceremony, frozen, phase, rounds }) {
  if (final) {
    return "final";
  }
  if (ceremony.defenders.length + ceremony.attackers.length) {
    return "ceremony";
  }
  if (frozen) {
    return "frozen";
  }
  return phase?.name ?? (rounds.length ? "between" : "before");
}

/** Take moments in, to be shown when their turn comes. */
export function cue(director, moments, now) {
  director.queue.push(...moments.map((moment) => ({ ...moment, at: now })));
}

/**
 * The part of a story that may be told: nothing from the first moment on that still waits, nor the
 * team that the stage unveils.
 */
export function toldBy({ queue, scene }, story) {
  const waiting = scene?.name === "unveiled" ? [scene.moment, ...queue] : queue;
  const next = Math.min(...waiting.map(({ item }) => item?.id ?? Number.POSITIVE_INFINITY));
  return story.filter(({ id }) => id < next);
}

/** The scene to show now: { name, number, moment?, turn? }; it stays until its time is up. */
export function direct(director, board, now) {
  const { scene } = director;
  if (scene && (director.held || now < director.until) && !interrupted(director, board, now)) {
    return scene;
  }
  return nextScene(director, board, now);
}

/** Which page of its content a scene shows: scenes with much to show turn their pages. */
export function beatOf({ turn = 0, since }, now) {
  return 2 * turn + Math.min(1, Math.floor((now - since) / (TURN / 2)));
}

/** End the current scene, and begin the next one. */
export function nextScene(director, board, now) {
  forgetOld(director, now);
  const moment = mayShow(director) ? director.queue.shift() : undefined;
  director.count += 1;
  director.row = moment ? director.row + 1 : 0;
  if (moment) {
    // The freeze is a moment, and one of those that take turns.
    director.last = moment.kind === "freeze" ? moment.kind : director.last;
    const length = director.queue.length ? MOMENT.short : MOMENT.long;
    begin(director, { name: moment.kind, moment }, { now, length, least: length });
  } else {
    begin(director, turnOf(director, board), { now, length: TURN, least: LEAST });
  }
  return director.scene;
}

function begin(director, scene, { now, length, least }) {
  director.scene = { ...scene, number: director.count, since: now };
  director.until = now + length;
  director.least = now + least;
}

/**
 * A moment ends a scene of those that take turns, once that was seen, and the ceremony at once; so
 * does another stage.
 */
function interrupted(director, board, now) {
  const { scene, queue, held } = director;
  if (held || scene.moment) {
    return false;
  }
  const urgent = queue.some((moment) => moment.weight >= SOLEMN);
  return (queue.length > 0 && (urgent || now >= director.least)) || scene.stage !== stageOf(board);
}

/** After some moments in a row the audience sees the whole again, except in the ceremony. */
function mayShow({ queue, row }) {
  return queue.length > 0 && (row < IN_A_ROW || queue[0].weight >= SOLEMN);
}

/** Moments that have waited too long are left out, small ones at once when many wait. */
function forgetOld(director, now) {
  const crowded = director.queue.length > CROWDED;
  director.queue = director.queue.filter(
    ({ weight, at }) => weight >= SOLEMN || (now - at < STALE && !(crowded && weight < 3)),
  );
}

/** The next scene of those that take turns, of which some may have nothing to show yet. */
function turnOf(director, board) {
  const stage = stageOf(board);
  const names = TURNS[stage].filter((name) => hasContent(name, board));
  const last = names.indexOf(director.last);
  const name = names[(last + 1) % names.length];
  const turn = director.turns[name] ?? 0;
  director.turns[name] = turn + 1;
  director.last = name;
  return { name, stage, turn };
}

/** Whether there is anything to see in a scene. */
export function hasContent(name, { rounds, total, teams, prizes }) {
  const round = rounds.at(-1);
  const ranked = total.defenders.some((row) => row.rank !== null && row.total !== 0);
  const needs = {
    lineup: teams.length > 0,
    map: round?.releases.length > 0,
    matrix: round?.cells.length + round?.answered.length > 0,
    standings: ranked,
    podium: ranked,
    tales: ranked,
    fire: ranked,
    prizes: prizes.length > 0,
  };
  return needs[name] ?? true;
}
