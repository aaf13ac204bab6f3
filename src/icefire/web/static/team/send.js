// The form that submits a file.

import { faultList, faultsOf, put } from "../common/api.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";

/**
 * A form that puts a file of `kind` under `path`. The function it returns draws it for `choices` ({
 * path, label, left })
 * and the names of the `files` that belong into it.
 */
export function sender({ draw, refresh }, kind, path) {
  let result = null;

  async function submit(event) {
    event.preventDefault();
    const { choice, file, method } = event.currentTarget.elements;
    try {
      await put(path + choice.value + query(method.value.trim()), file.files[0]);
      result = { faults: null };
      file.value = "";
      await refresh();
    } catch (error) {
      result = { faults: faultsOf(error) };
    }
    draw();
  }

  return function form(choices, files) {
    const open = choices.filter(({ left }) => left > 0);
    return h(
      "section",
      { key: kind, id: kind },
      h("h2", {}, say(`send.${kind}`)),
      open.length
        ? fields({ kind, open, files, submit })
        : h("p", { class: "soft" }, say("send.used")),
      h("div", { class: "told", role: "status" }, result && told(result)),
    );
  };
}

/** In place of a form, while no phase is open. */
export function closed() {
  return h("section", { key: "closed" }, say("send.closed"));
}

function fields({ kind, open, files, submit }) {
  const options = open.map(({ path, label, left }) =>
    h("option", { key: path, value: path }, `${label} (${say("left", { n: left })})`),
  );
  const file = { type: "file", name: "file", required: true, accept: ".zip,.csv,.txt" };
  return h(
    "form",
    { onsubmit: submit },
    h(
      "div",
      { class: "row" },
      h(
        "label",
        {},
        say(kind === "guess" ? "target" : "set"),
        h("select", { name: "choice" }, options),
      ),
      h("label", {}, say("file"), h("input", file)),
      h("label", {}, say("method"), h("input", { name: "method", maxlength: 100 })),
      h("button", { class: "strong", type: "submit" }, say("send")),
    ),
    h("p", { class: "soft" }, say("send.files", { files: files.map(plainName).join(", ") })),
  );
}

function query(method) {
  return method && `?method=${encodeURIComponent(method)}`;
}

/** A pattern of file names as people write such. */
function plainName(pattern) {
  return pattern.replace("[._]*", ".csv").replace(".*", ".csv").replace("*", "NAME");
}

function told({ faults }) {
  if (faults === null) {
    return h("p", { key: "taken", class: "ok" }, say("send.taken"));
  }
  return [h("p", { key: "refused", class: "bad" }, say("send.refused")), faultList(faults)];
}
