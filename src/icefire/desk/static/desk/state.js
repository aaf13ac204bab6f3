// What every page of the desk knows: the session, and how to load and draw it again.

import { faultsOf, get } from "../common/api.js";

const PAUSE = 500;
const [, , id, step = "file"] = location.pathname.split("/");

/** `page` and `draw` are set by desk.js; `session` is null at home and until it is loaded. */
export const desk = { id, step, session: null, faults: [], page: null, draw: () => {} };

desk.load = async () => {
  if (id) {
    desk.session = await get(`/api/sessions/${id}`);
  }
  await desk.page.load?.();
  desk.draw();
};

/** Do something with the server, and show its faults, if any. `pending` is what is being done. */
desk.attempt = (action) => {
  desk.pending = attempted(action);
  return desk.pending;
};

async function attempted(action) {
  try {
    desk.faults = [];
    await action();
  } catch (error) {
    desk.faults = faultsOf(error);
  }
  desk.draw();
}

desk.go = (next, query = "") => location.assign(`/session/${id}/${next}${query}`);

/** The latest job of a task, if there is one. */
desk.latest = (task) => desk.session.jobs.findLast((job) => job.task === task);

/** Follow a job until it ends: `onEvents` is given new events, and the result is how it ended. */
desk.watch = async (number, onEvents = () => {}) => {
  for (let after = 0; ; ) {
    const job = await get(`/api/sessions/${id}/jobs/${number}?after=${after}`);
    after = job.after;
    onEvents(job.events, job);
    desk.draw();
    if (job.state !== "running") {
      return job;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
};
