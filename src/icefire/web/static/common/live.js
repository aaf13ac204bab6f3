// The public board and the story, followed as they change; a lost connection is resumed.

import { get } from "./api.js";
import { refresher } from "./refresh.js";
import { listen } from "./stream.js";

/**
 * Follow the contest. Returns { board, story, lost }, which change before `changed` is called:
 * with the items that are news (not those from before the page was opened), or with the board
 * before, if it is the board that has changed.
 */
export function followContest(changed) {
  const state = { board: null, story: [], lost: false };
  let last = 0;

  const refresh = refresher(async () => {
    const before = state.board;
    state.board = await get("/api/board");
    changed({ before });
  });

  function hear(items) {
    const told = items.filter((item) => item.id > last);
    const news = takeIn(state.story, told);
    changed({ items: last > 0 ? news : [] });
    last = told.at(-1)?.id ?? last;
  }

  function forget() {
    state.story = [];
    last = 0;
    changed({});
  }

  function connected(open) {
    state.lost = !open;
    changed({});
  }

  refresh();
  const streams = { story: hear, board: refresh, reset: forget };
  listen(() => `/api/stream?after=${last}`, streams, connected);
  return state;
}

/**
 * Add items to a story, and return those that are news. An item that is told in full, once results
 * are open, takes the place of the one that said less.
 */
export function takeIn(story, items) {
  const places = new Map(story.map(({ id }, place) => [id, place]));
  const news = [];
  for (const item of items) {
    const place = places.get(item.replaces);
    if (place === undefined) {
      places.set(item.id, story.push(item) - 1);
      news.push(item);
    } else {
      story[place] = { ...item, id: item.replaces };
    }
  }
  return news;
}
