// Names of methods, metrics, data sets and tasks as people read them. What the catalogue does not
// have (plugins, own data) is shown as it is written.

import { language, say } from "./language.js";
import { WORDS } from "./words.js";

const STEP = /^([a-z_0-9]+)(?:\((.*)\))?$/;

/** A name of a contest's file: a method with or without parameters, a metric, a set or a task. */
export function term(raw) {
  const found = STEP.exec(raw ?? "");
  const key = found && `term.${found[1]}`;
  if (!found || !(key in WORDS[language()])) {
    return String(raw ?? "").replaceAll("_", " ");
  }
  const size = /\bk=(\d+)/.exec(found[2] ?? "");
  return size ? `${say(key)} (k=${size[1]})` : say(key);
}

/** The method of an upload: steps of ours, or whatever the team has written about it. */
export function methodText(method) {
  const names = stepsOf(method);
  return names.length ? stepsText(method) : method;
}

/** The names of a method's steps; none if it is not written as steps of the catalogue. */
export function stepsOf(method) {
  const names = split(method).map((step) => STEP.exec(step)?.[1]);
  return names.every((name) => `term.${name}` in WORDS.en) ? names : [];
}

function split(method) {
  return method ? method.split(/,\s*(?![^(]*\))/) : [];
}

function stepsText(method) {
  return split(method).map(term).join(say("steps.and"));
}
