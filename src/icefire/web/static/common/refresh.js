// Loading again whenever something changes, one load at a time and in order.

/**
 * A function that runs `load`; calls during a run lead to one more run. All callers wait for the
 * last one.
 */
export function refresher(load, pause = 1000) {
  let running = null;
  let again = false;

  async function run() {
    try {
      do {
        again = false;
        await load().catch(retry);
      } while (again);
    } finally {
      running = null;
    }
  }

  async function retry(error) {
    if (!isPassing(error)) {
      throw error;
    }
    again = true;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }

  return function refresh() {
    again = true;
    running ??= run();
    return running;
  };
}

/** Whether a failed request is worth repeating: the server was away, or failed itself. */
function isPassing(error) {
  return error.status === 0 || error.status >= 500;
}
