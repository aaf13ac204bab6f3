// Questions to the operator, and the answers.

import { faultList, faultsOf, post } from "../common/api.js";
import { h } from "../common/dom.js";
import { timeOfDay } from "../common/format.js";
import { say } from "../common/language.js";

/** A function that draws the form and what was asked so far. */
export function questions({ draw, refresh }) {
  let faults = [];

  async function submit(event) {
    event.preventDefault();
    const { text } = event.currentTarget.elements;
    try {
      await post("/api/questions", { text: text.value });
      faults = [];
      text.value = "";
      await refresh();
    } catch (error) {
      faults = faultsOf(error);
    }
    draw();
  }

  return function section(own) {
    const field = { name: "text", id: "question", maxlength: 1000, required: true };
    return h(
      "section",
      { key: "questions", id: "questions" },
      h("h2", {}, say("questions")),
      h(
        "form",
        { class: "row", onsubmit: submit },
        h("label", {}, say("question"), h("input", { ...field, autocomplete: "off" })),
        h("button", { class: "strong", type: "submit" }, say("ask")),
      ),
      h("div", { role: "alert" }, faults.length > 0 && faultList(faults)),
      [...own.questions].reverse().map(asked),
    );
  };
}

function asked({ id, at, text, answer }) {
  return h(
    "p",
    { key: id, class: "message" },
    h("time", { datetime: at }, timeOfDay(at)),
    " ",
    h("q", {}, text),
    " ",
    answer ?? h("span", { class: "soft" }, say("not answered")),
  );
}
