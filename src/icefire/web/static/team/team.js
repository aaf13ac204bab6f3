// A team's page: its data, its tries, its submissions and their scores.

import { get } from "../common/api.js";
import { namesIn } from "../common/names.js";
import { showPage } from "../common/page.js";
import { refresher } from "../common/refresh.js";
import { forMembers, noAccess } from "../common/session.js";
import { listen } from "../common/stream.js";
import { problems, targets, targetsOf } from "./downloads.js";
import { closed, sender } from "./send.js";
import { tokens } from "./token.js";
import { uploads } from "./uploads.js";

const POLL = 1000;
const state = { own: null, board: null, allowed: true, lost: false };

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
  const [own, board] = await Promise.all([get("/api/own"), get("/api/board")]);
  Object.assign(state, { own, board });
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

function main() {
  if (!state.allowed) {
    return noAccess();
  }
  if (state.own === null) {
    return [];
  }
  const names = namesIn(state.board);
  return [
    problems(state.own),
    targets(state.own, names),
    form(names),
    uploads(state.own, names),
    token(),
  ];
}

/** The form of the open phase. */
function form(names) {
  const { own } = state;
  if (own.phase?.name === "defence") {
    const sets = Object.entries(own.left).map(([set, left]) => ({ path: set, label: set, left }));
    return release(sets, own.files.release);
  }
  if (own.phase?.name === "attack") {
    const open = targetsOf(own).map(({ team, set, left }) => {
      return { path: `${team}/${set}`, label: `${names(team)} · ${set}`, left };
    });
    return guess(open, own.files.guess);
  }
  return closed();
}

function connected(open) {
  state.lost = !open;
  draw();
}

await refresh();
listen(() => "/api/stream", { board: refresh }, connected);
// Behind the freeze the stream is silent, but a team sees its own scores.
setInterval(() => {
  if (state.own?.uploads.some((upload) => upload.status === "waiting")) {
    refresh();
  }
}, POLL);
