// Tokens for the command line.

import { faultList, faultsOf, post } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";

/** A function that draws the button and the token it has made. */
export function tokens({ draw }) {
  let made = { token: "", faults: [] };

  async function make() {
    try {
      made = { ...(await post("/api/tokens")), faults: [] };
    } catch (error) {
      made = { token: "", faults: faultsOf(error) };
    }
    draw();
  }

  return function section() {
    return h(
      "section",
      { key: "token" },
      h("h2", {}, say("token")),
      h("button", { type: "button", onclick: make }, say("token.make")),
      " ",
      h("output", { id: "token" }, h("code", {}, made.token)),
      made.faults.length > 0 && faultList(made.faults),
      h("p", { class: "soft" }, say("token.once")),
    );
  };
}
