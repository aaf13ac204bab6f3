// A team's page: its data, its tries, its submissions and their scores.

import { announcements } from "../common/announcements.js";
import { get } from "../common/api.js";
import { namesIn } from "../common/names.js";
import { showPage } from "../common/page.js";
import { refresher } from "../common/refresh.js";
import { forMembers, noAccess } from "../common/session.js";
import { listen } from "../common/stream.js";
import { problems, targets, targetsOf } from "./downloads.js";
import { questions } from "./questions.js";
import { rules } from "./rules.js";
import { closed, sender } from "./send.js";
import { tokens } from "./token.js";
import { uploads } from "./uploads.js";

const POLL = 2000;
const state = { own: null, board: null, book: null, allowed: true, lost: false };

const draw = showPage({
  frame: () => ({
    title: state.own?.name,
    // Behind the freeze the public board does not tell which phase is open.
    board: state.own && { ...state.board, phase: state.own.phase },
    lost: state.lost,
    session: state.own !== null,
  }),
  main,
  links: [["/", "audience"]],
});

async function load() {
  const [own, board, book] = await Promise.all(["/api/own", "/api/board", "/api/rules"].map(get));
  Object.assign(state, { own, board, book });
  draw();
}

function refuse() {
  state.allowed = false;
  draw();
}

const refresh = refresher(forMembers(load, refuse));
const context = { draw, refresh };
const release = sender(context, "release", "/api/releases/");
const guess = sender(context, "guess", "/api/guesses/");
const token = tokens(context);
const question = questions(context);

function main() {
  if (!state.allowed) {
    return noAccess();
  }
  if (state.own === null) {
    return [];
  }
  const names = namesIn(state.board);
  return [
    announcements(state.board),
    rules(state.book),
    problems(state.own),
    targets(state.own, names),
    forms(names),
    uploads(state.own, names),
    question(state.own),
    token(),
  ];
}

/** The form of the open phase; of both where they run together. */
function forms(names) {
  const { own } = state;
  if (!own.phase) {
    return closed();
  }
  const sets = Object.entries(own.releases_left).map(([set, left]) => {
    return { path: set, label: set, left };
  });
  const open = targetsOf(own).map(({ team, set, left }) => {
    return { path: `${team}/${set}`, label: `${names(team)} · ${set}`, left };
  });
  const attack = own.phase.name === "attack" && guess(open, own.files.guess);
  return [sets.length > 0 && release(sets, own.files.release), attack];
}

function connected(open) {
  state.lost = !open;
  draw();
}

await refresh();
listen(() => "/api/stream", { board: refresh }, connected);
// Behind the freeze the stream is silent, but a team sees its own scores and answers.
setInterval(() => {
  const { uploads: sent = [], questions: asked = [] } = state.own ?? {};
  if (sent.some(({ status }) => status === "waiting") || asked.some(({ answer }) => !answer)) {
    refresh();
  }
}, POLL);
