// What the operator has announced.

import { h } from "./dom.js";
import { timeOfDay } from "./format.js";
import { say } from "./language.js";

/** The announcements, the newest first; nothing while there are none. */
export function announcements(board) {
  const told = (board?.announcements ?? [])
    .map((entry, number) => ({ number, ...entry }))
    .reverse();
  if (!told.length) {
    return null;
  }
  return h(
    "section",
    { key: "announcements", id: "announcements", class: "full", "aria-live": "polite" },
    h("h2", {}, say("announcements")),
    told.map(({ number, at, text, question }) =>
      h(
        "p",
        { key: number, class: "message" },
        h("time", { datetime: at }, timeOfDay(at)),
        " ",
        question && h("q", {}, question),
        question && " ",
        text,
      ),
    ),
  );
}
