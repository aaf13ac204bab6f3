// Loading again whenever something changes, one load at a time and in order.

/**
 * A function that runs `load`; calls during a run lead to one more run. Callers wait for the first
 * run that began after they called, not for those that later calls lead to.
 */
export function refresher(load, pause = 1000) {
  let running = null;
  let next = null;

  async function run() {
    try {
      await loaded();
    } finally {
      running = null;
    }
  }

  async function loaded() {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        if (!isPassing(error)) {
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  function after() {
    next = null;
    return refresh();
  }

  function refresh() {
    if (running === null) {
      running = Promise.resolve().then(run);
      return running;
    }
    next ??= running.then(after, after);
    return next;
  }

  return refresh;
}

/** Whether a failed request is worth repeating: the server was away, or failed itself. */
function isPassing(error) {
  return error.status === 0 || error.status >= 500;
}
