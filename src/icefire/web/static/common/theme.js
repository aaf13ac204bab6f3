// Light or dark: as the system says, until the reader chooses.

import { recall, remember } from "./store.js";

let current =
  recall("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

export function applyTheme() {
  document.documentElement.dataset.theme = current;
}

export function toggleTheme() {
  current = current === "dark" ? "light" : "dark";
  remember("theme", current);
  applyTheme();
}
