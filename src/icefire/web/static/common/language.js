// The language of the page: the browser's, until the reader chooses.

import { recall, remember } from "./store.js";
import { WORDS } from "./words.js";

const listeners = [];
let current = recall("language") ?? browserLanguage();

function browserLanguage() {
  return (globalThis.navigator?.language ?? "en").startsWith("ja") ? "ja" : "en";
}

export function language() {
  return current;
}

export function setLanguage(name) {
  current = name;
  remember("language", name);
  for (const listener of listeners) {
    listener();
  }
}

/** Call `listener` whenever the reader changes the language. */
export function onLanguage(listener) {
  listeners.push(listener);
}

/** The text for `key` in the current language, with `{name}` replaced by `values.name`. */
export function say(key, values = {}) {
  const text = WORDS[current][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
