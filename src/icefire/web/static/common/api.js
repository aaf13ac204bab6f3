// Requests to the server.

import { synchronize } from "./clock.js";
import { h } from "./dom.js";
import { language, say } from "./language.js";

const ATTEMPTS = 10;
/** No answer, or that of a proxy whose server is gone. */
const AWAY = new Set([0, 502, 504]);

/** Headers that a page adds to all its requests. */
export const added = {};

/**
 * The server said no: `status` of the answer (0 if there was none) and `faults`, texts for the
 * reader.
 */
export class Refused extends Error {
  constructor(status, faults, options) {
    super(faults.join("; "), options);
    this.status = status;
    this.faults = faults;
  }
}

export function get(path) {
  return send(path, { method: "GET" });
}

export function post(path, content = {}) {
  const body = JSON.stringify(content);
  return send(path, { method: "POST", body, headers: { "content-type": "application/json" } });
}

export function remove(path) {
  return send(path, { method: "DELETE" });
}

/**
 * Upload a file, again and again while the server is away. The key tells the server that it is the
 * same file.
 */
export async function put(path, file, pause = 1000) {
  const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
  for (let left = ATTEMPTS; ; left -= 1) {
    try {
      return await send(path, { method: "PUT", body: file, headers: { "idempotency-key": key } });
    } catch (error) {
      if (left <= 1 || !AWAY.has(error.status)) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function send(path, options) {
  // Pages of other sites cannot set this header.
  const own = { "x-icefire": "1", "accept-language": language() };
  const headers = { ...options.headers, ...added, ...own };
  const answer = await fetch(path, { ...options, headers, credentials: "same-origin" }).catch(
    (error) => {
      throw new Refused(0, [say("unreachable")], { cause: error });
    },
  );
  synchronize(answer.headers.get("date"));
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) {
    throw new Refused(answer.status, content.faults ?? [content.detail ?? String(answer.status)]);
  }
  return content;
}

/** The faults of a refusal; any other error is a mistake in the page, and is thrown again. */
export function faultsOf(error) {
  if (error instanceof Refused) {
    return error.faults;
  }
  throw error;
}

/** What was wrong, as a list. */
export function faultList(faults) {
  return h(
    "ul",
    { class: "faults" },
    faults.map((fault) => h("li", {}, fault)),
  );
}
