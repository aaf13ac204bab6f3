// Announcements, and questions of teams.

import { h } from "../common/dom.js";
import { timeOfDay } from "../common/format.js";
import { say } from "../common/language.js";

export function messages({ board, names, act }) {
  const [open, done] = [true, false].map((waiting) =>
    board.questions.filter(({ answer }) => (answer === null) === waiting),
  );
  return h(
    "section",
    { key: "messages", id: "messages" },
    h("h2", {}, say("messages")),
    form({ name: "announce", label: "announcement", act, path: "/api/operator/announcements" }),
    h("h3", {}, say("questions")),
    !board.questions.length && h("p", { class: "soft" }, say("nothing")),
    open.map((asked) => h("div", { key: asked.id }, question(asked, names), answering(asked, act))),
    [...done].reverse().map((asked) => h("div", { key: asked.id }, question(asked, names))),
  );
}

function question({ at, team, text, answer }, names) {
  return h(
    "p",
    { class: "message" },
    h("time", { datetime: at }, timeOfDay(at)),
    ` ${names(team)}: `,
    h("q", {}, text),
    " ",
    answer,
  );
}

function answering({ id }, act) {
  const all = h("label", {}, h("input", { type: "checkbox", name: "all" }), " ", say("answer.all"));
  const path = `/api/operator/questions/${id}/answer`;
  return form({ name: "answer", label: "answer.text", act, path, more: all });
}

function form({ name, label, act, path, more = null }) {
  const onsubmit = async (event) => {
    event.preventDefault();
    const { text, all } = event.currentTarget.elements;
    const content = { text: text.value, ...(all && { to_all: all.checked }) };
    if (await act.post(path, content)) {
      text.value = "";
    }
  };
  const field = { name: "text", maxlength: 1000, required: true, autocomplete: "off" };
  return h(
    "form",
    { class: "row", "data-form": name, onsubmit },
    h("label", {}, say(label), h("input", field)),
    more,
    h("button", { class: "strong", type: "submit", ...act.waiting() }, say(name)),
  );
}
