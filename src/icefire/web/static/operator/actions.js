// What an operator does, and what came of it.

import { faultList, faultsOf, post } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";

/**
 * Actions of the page: `act.post`, `act.button` for actions that need a reason, `act.outcome` for
 * the last result.
 */
export function actions({ draw, refresh }) {
  let result = null;

  async function send(path, content) {
    try {
      result = { answer: await post(path, content) };
      draw();
      await refresh();
    } catch (error) {
      result = { faults: faultsOf(error) };
      draw();
    }
  }

  function button({ name, path, key = name, content = () => ({}) }) {
    const onclick = () => {
      const reason = document.getElementById("why");
      if (reason.reportValidity()) {
        send(path, { why: reason.value.trim(), ...content() });
      }
    };
    return h("button", { type: "button", key, "data-act": name, onclick }, say(name));
  }

  return { post: send, button, outcome: (names) => result && outcome(result, names) };
}

function outcome({ answer, faults }, names) {
  if (faults) {
    return faultList(faults);
  }
  if (answer.invitation) {
    const link = `${location.origin}/join#${answer.invitation}`;
    return h("p", {}, say("invitation", { team: names(answer.team), link }));
  }
  return h("p", {}, say("done"));
}
