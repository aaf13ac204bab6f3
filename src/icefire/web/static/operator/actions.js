// What an operator does, and what came of it.

import { faultList, faultsOf, post } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";

/** Milliseconds for which a button that cannot be undone waits for the second press. */
const PATIENCE = 8000;
/** Milliseconds between the presses of a double click, at most. */
const DOUBLE = 500;

/**
 * Actions of the page: `act.post`, `act.button` for actions that need a reason, `act.outcome` for
 * the last result, `act.links` for the invitations made on this page, by team.
 */
export function actions({ draw, refresh }) {
  const state = { links: new Map(), result: null, busy: false, asking: null, asked: 0 };
  const send = sender(state, draw, refresh);
  const isCertain = asker(state, draw);

  /**
   * A button that asks for a reason, and if it is `final` for a second press. With `again`, the
   * reason stays for the next time.
   */
  function button({ name, path, key = name, content = () => ({}), final = false, again = false }) {
    const mark = `${path} ${name}`;
    const asked = state.asking === mark;
    const onclick = async () => {
      const reason = document.getElementById("why");
      if (!reason.reportValidity() || (final && !isCertain(mark, name))) {
        return;
      }
      if ((await send(path, { why: reason.value.trim(), ...content() })) && !again) {
        reason.value = "";
      }
    };
    const look = { class: asked ? "strong" : null, ...waiting(state) };
    const text = asked ? say("again", { action: say(name) }) : say(name);
    return h("button", { type: "button", key, "data-act": name, ...look, onclick }, text);
  }

  return {
    post: send,
    button,
    links: state.links,
    waiting: () => waiting(state),
    outcome: (names) => state.result && outcome(state.result, names),
  };
}

/** A button that is disabled would lose the focus. */
function waiting({ busy }) {
  return { "aria-disabled": busy ? "true" : null };
}

/** Sends one thing at a time, and returns whether it was done. */
function sender(state, draw, refresh) {
  return async (path, content) => {
    if (state.busy) {
      return false;
    }
    Object.assign(state, { asking: null, busy: true });
    draw();
    try {
      const answer = await post(path, content);
      state.result = { answer };
      if (answer.invitation) {
        state.links.set(answer.team, `${location.origin}/join#${answer.invitation}`);
      }
    } catch (error) {
      state.result = { faults: faultsOf(error) };
    } finally {
      state.busy = false;
      draw();
    }
    if (state.result.faults) {
      return false;
    }
    await refresh();
    return true;
  };
}

/** Asks for a second press of a button, for a while, and returns whether this is it. */
function asker(state, draw) {
  return (mark, name) => {
    if (state.asking === mark) {
      return Date.now() > state.asked + DOUBLE;
    }
    Object.assign(state, { asking: mark, asked: Date.now(), result: { certain: name } });
    draw();
    setTimeout(() => {
      if (state.asking === mark) {
        Object.assign(state, { asking: null, result: null });
        draw();
      }
    }, PATIENCE);
    return false;
  };
}

function outcome({ answer, faults, certain }, names) {
  if (faults) {
    return faultList(faults);
  }
  if (certain) {
    return h("p", {}, say("certain", { action: say(certain) }));
  }
  const { invitation, team } = answer;
  return h("p", {}, invitation ? say("invitation", { team: names(team) }) : say("done"));
}
