// What is wrong now: no worker, a full disk, a database that is away.

import { faultList } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";

/** Messages for the operator; nothing is shown if all is well. */
export function troubles(messages) {
  const content = messages.length > 0 && [h("h2", {}, say("troubles")), faultList(messages)];
  const attributes = { key: "troubles", id: "troubles", class: "full", role: "alert" };
  return h("section", { ...attributes, hidden: messages.length === 0 }, content);
}
