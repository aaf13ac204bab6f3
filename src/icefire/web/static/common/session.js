// Pages for people who have logged in.

import { h } from "./dom.js";
import { say } from "./language.js";

/**
 * Wrap a loader: without a session the page becomes the login page; without the right, `refuse` is
 * called.
 */
export function forMembers(load, refuse) {
  return async function loadOrLeave() {
    try {
      await load();
    } catch (error) {
      if (error.status === 401) {
        location.assign("/login");
      } else if (error.status === 403) {
        refuse();
      } else {
        throw error;
      }
    }
  };
}

export function noAccess() {
  return [h("section", { key: "no access" }, say("no access"))];
}
