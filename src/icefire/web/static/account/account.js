// Logging in, and joining with an invitation.

import { faultList, faultsOf, post } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { showPage } from "../common/page.js";

const LOGIN = {
  title: "login",
  path: "/api/login",
  fields: [
    field("login", "login name", { autocomplete: "username", maxlength: 60 }),
    field("password", "password", {
      type: "password",
      autocomplete: "current-password",
      maxlength: 200,
    }),
  ],
};
const JOIN = {
  title: "join",
  path: "/api/join",
  fields: [
    field("code", "code", { autocomplete: "off", maxlength: 100, value: location.hash.slice(1) }),
    field("login", "login name", { autocomplete: "username", maxlength: 60 }),
    field("password", "new password", {
      type: "password",
      autocomplete: "new-password",
      minlength: 10,
      maxlength: 200,
    }),
  ],
};
const form = location.pathname === "/join" ? JOIN : LOGIN;
let faults = [];

const draw = showPage({ frame: () => ({}), main, links: [["/", "audience"]] });

function field(name, label, attributes) {
  return { name, label, attributes: { name, required: true, ...attributes } };
}

function main() {
  return [
    h(
      "section",
      {},
      h("h2", {}, say(form.title)),
      h(
        "form",
        { onsubmit: submit },
        form.fields.map(({ label, attributes }) =>
          h("label", {}, say(label), h("input", attributes)),
        ),
        h("button", { class: "strong", type: "submit" }, say(form.title)),
        h("div", { role: "alert" }, faults.length > 0 && faultList(faults)),
      ),
    ),
  ];
}

async function submit(event) {
  event.preventDefault();
  try {
    const person = await post(form.path, Object.fromEntries(new FormData(event.currentTarget)));
    location.assign(person.role === "operator" ? "/operator" : "/team");
  } catch (error) {
    faults = faultsOf(error);
    draw();
  }
}
