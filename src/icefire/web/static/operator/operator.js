// The operator's page: control of the contest, alarms, flagged releases, teams, standings, log.

import { announcements } from "../common/announcements.js";
import { get } from "../common/api.js";
import { h } from "../common/dom.js";
import { namesIn } from "../common/names.js";
import { showPage } from "../common/page.js";
import { refresher } from "../common/refresh.js";
import { forMembers, noAccess } from "../common/session.js";
import { listen } from "../common/stream.js";
import { actions } from "./actions.js";
import { alarms } from "./alarms.js";
import { control } from "./control.js";
import { flags } from "./flags.js";
import { log } from "./log.js";
import { messages } from "./messages.js";
import { methods } from "./methods.js";
import { prizes } from "./prizes.js";
import { standings } from "./standings.js";
import { teams } from "./teams.js";
import { troubles } from "./troubles.js";

const POLL = 5000;
const ENTRIES = 100;
const state = { board: null, log: [], allowed: true, lost: false, away: [] };

const draw = showPage({
  frame: () => ({
    title: state.board?.name,
    board: state.board,
    lost: state.lost,
    session: state.board !== null,
  }),
  main,
  links: [["/", "audience"]],
});

async function load() {
  try {
    const board = await get("/api/operator");
    const entries = await get(`/api/operator/log?after=${Math.max(0, board.seq - ENTRIES)}`);
    Object.assign(state, { board, log: entries, away: [] });
  } catch (error) {
    // The page goes on trying; meanwhile it tells why it stands still.
    state.away = error.status >= 500 ? error.faults : [];
    draw();
    throw error;
  }
  draw();
}

function refuse() {
  state.allowed = false;
  draw();
}

const refresh = refresher(forMembers(load, refuse));
const act = actions({ draw, refresh });

function main() {
  if (!state.allowed) {
    return noAccess();
  }
  if (state.board === null) {
    return [troubles(state.away)];
  }
  const { board } = state;
  const names = namesIn(board);
  return [
    troubles(state.away.length ? state.away : board.troubles.map(({ message }) => message)),
    announcements(board),
    control({ board, names, act }),
    h("section", { key: "attention" }, alarms({ board, act }), flags({ board, names, act })),
    messages({ board, names, act }),
    teams({ board, act }),
    standings({ board, names }),
    prizes({ board, names, act }),
    methods({ board, names, act }),
    log(state.log, names),
  ];
}

function connected(open) {
  state.lost = !open;
  draw();
}

await refresh();
listen(() => "/api/stream", { board: refresh }, connected);
// Behind the freeze the stream is silent, but the operator sees everything.
setInterval(refresh, POLL);
