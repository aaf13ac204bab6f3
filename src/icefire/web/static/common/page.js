// What surrounds every page: header with countdown and switches, and footer.

import { post } from "./api.js";
import { drawBanner } from "./banner.js";
import { now, progress, timeLeft } from "./clock.js";
import { h, update } from "./dom.js";
import { language, onLanguage, say, setLanguage } from "./language.js";
import { applyTheme, toggleTheme } from "./theme.js";

const TICK = 500;

/**
 * Show a page, and return the function that draws it again.
 * `frame()` gives what the header and banner show: title, board (or null), lost, session; `main()`
 * gives the content; `tools()` more buttons, and `foot()` what stands at the bottom in place of
 * links.
 */
export function showPage({
  frame,
  main,
  links = [],
  foot = () => footer(links),
  tools = () => [],
}) {
  const drawHeader = () => drawFrame(frame(), tools());
  function draw() {
    document.documentElement.lang = language();
    update(document.getElementById("skip"), [say("skip")]);
    drawHeader();
    update(document.getElementById("main"), main());
    update(document.getElementById("footer"), foot());
  }
  applyTheme();
  onLanguage(draw);
  setInterval(drawHeader, TICK);
  draw();
  return draw;
}

function drawFrame({ title = "icefire", board = null, lost = false, session = false }, more) {
  document.title = title;
  const course = board && progress(board, now());
  update(document.getElementById("header"), [
    h("h1", { id: "name" }, title),
    h("p", { id: "phase", role: "status" }, course && say(`phase.${course.state}`)),
    h("p", { id: "clock", role: "timer", "aria-live": "off" }, course && countdown(course.until)),
    h("nav", { id: "tools", "aria-label": say("tools") }, more, buttons(session)),
  ]);
  drawBanner(board, lost);
}

function countdown(until) {
  if (until === null) {
    return null;
  }
  const { days, text } = timeLeft(until - now());
  return days ? `${say("days", { n: days })} ${text}` : text;
}

function buttons(session) {
  const other = language() === "ja" ? "en" : "ja";
  return [
    button({ id: "language", lang: other, onclick: () => setLanguage(other) }, say("language")),
    button(
      { id: "theme", "aria-label": say("theme"), title: say("theme"), onclick: toggleTheme },
      "◐",
    ),
    session && button({ id: "session", onclick: logOut }, say("logout")),
  ];
}

function button(attributes, text) {
  return h("button", { type: "button", key: attributes.id, ...attributes }, text);
}

async function logOut() {
  await post("/api/logout");
  location.assign("/");
}

function footer(links) {
  return links.flatMap(([href, key], index) => [index > 0 && " · ", h("a", { href }, say(key))]);
}
