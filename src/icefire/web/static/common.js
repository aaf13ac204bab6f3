"use strict";
// What all pages share: language, theme, words and requests.
const store = { get(key) { try { return localStorage.getItem(key); } catch { return null; } }, set(key, value) { try { localStorage.setItem(key, value); } catch { /* private mode */ } } };
let language = store.get("language") || ((navigator.language || "en").startsWith("ja") ? "ja" : "en");
let theme = store.get("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

function say(key, values = {}) {
  const pair = WORDS[key] || [String(key ?? ""), String(key ?? "")];
  return pair[language === "ja" ? 1 : 0].replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}
function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const number = (value, digits = 3) => (value === null || value === undefined ? "–" : Number(value).toFixed(digits));

async function call(method, path, body, raw = false) {
  const options = { method, headers: { "x-icefire": "1" }, credentials: "same-origin" };
  if (raw) options.body = body;
  else if (body !== undefined) { options.body = JSON.stringify(body); options.headers["content-type"] = "application/json"; }
  const answer = await fetch(path, options);
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(content.detail || answer.status), { status: answer.status, faults: content.faults || [content.detail || String(answer.status)] });
  return content;
}
function faults(error) { return el("ul", { class: "faults" }, ...(error.faults || [String(error)]).map((one) => el("li", {}, one))); }

// The stream, which opens itself again whatever has closed it.
function listen(url, hear, state = () => {}) {
  const source = new EventSource(url());
  for (const [name, step] of Object.entries(hear)) source.addEventListener(name, (event) => step(JSON.parse(event.data)));
  source.onopen = () => state(true);
  source.onerror = () => { state(false); if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(url, hear, state), 1000); };
}
const onLanguage = [];
function dress() {
  document.documentElement.lang = language;
  document.documentElement.dataset.theme = theme;
  for (const one of document.querySelectorAll("[data-say]")) one.textContent = say(one.dataset.say);
  const tools = document.getElementById("tools");
  if (tools) {
    const extra = tools.querySelector("#session");
    tools.replaceChildren(
      el("button", { id: "language", type: "button", lang: language === "ja" ? "en" : "ja", onclick: () => { language = language === "ja" ? "en" : "ja"; store.set("language", language); dress(); } }, say("language")),
      el("button", { id: "theme", type: "button", "aria-label": say("theme"), title: say("theme"), onclick: () => { theme = theme === "dark" ? "light" : "dark"; store.set("theme", theme); dress(); } }, "◐"));
    if (extra) tools.append(extra);
  }
  for (const one of onLanguage) one();
}
addEventListener("DOMContentLoaded", dress);
