// The first page: drop a file, or go on with a session.

import { get, put, remove } from "../common/api.js";
import { h } from "../common/dom.js";
import { dateAndTime } from "../common/format.js";
import { say } from "../common/language.js";
import { desk } from "./state.js";

let sessions = [];
let over = false;
let sending = "";

async function load() {
  sessions = await get("/api/sessions");
}

function take(file) {
  if (!file) {
    return;
  }
  sending = file.name;
  desk.attempt(async () => {
    try {
      const { id } = await put(`/api/sessions/${encodeURIComponent(file.name)}`, file);
      location.assign(`/session/${id}/file`);
    } finally {
      sending = "";
    }
  });
}

function hover(value) {
  return (event) => {
    event.preventDefault();
    over = value;
    desk.draw();
  };
}

function drop(event) {
  hover(false)(event);
  take(event.dataTransfer.files[0]);
}

function dropZone() {
  return h(
    "section",
    { key: "drop", class: "full" },
    h("h2", {}, say("desk.drop.title")),
    h(
      "label",
      {
        class: over ? "drop over" : "drop",
        ondragover: hover(true),
        ondragleave: hover(false),
        ondrop: drop,
      },
      h("strong", {}, sending ? say("desk.sending", { name: sending }) : say("desk.drop")),
      h("span", { class: "soft" }, say("desk.drop.kinds")),
      h("input", {
        type: "file",
        id: "file",
        onchange: (event) => take(event.target.files[0]),
      }),
    ),
    h("p", { class: "soft" }, say("desk.stays")),
  );
}

function entry(session) {
  return h(
    "li",
    { key: session.id },
    h("a", { href: `/session/${session.id}/file` }, session.name),
    h("span", { class: "soft small" }, dateAndTime(session.created)),
    h(
      "button",
      {
        type: "button",
        "aria-label": say("desk.remove.of", { name: session.name }),
        onclick: () => forget(session),
      },
      say("desk.remove"),
    ),
  );
}

function forget(session) {
  if (confirm(say("desk.remove.sure", { name: session.name }))) {
    desk.attempt(async () => {
      await remove(`/api/sessions/${session.id}`);
      await load();
    });
  }
}

function main() {
  const list = h("ul", { class: "sessions" }, sessions.map(entry));
  const known = h(
    "section",
    { key: "sessions", class: "full" },
    h("h2", {}, say("desk.past")),
    list,
  );
  return [dropZone(), sessions.length > 0 && known];
}

export const homePage = { load, main };
