"use strict";
// The show: one board, one story, and a stream that says when they change. The page is never loaded again.
let board = null, last = 0, lost = false, asked = 0, ahead = 0;
const story = [];
const COLOURS = ["#2f7fc9", "#cf4f2a", "#2f8a57", "#a87412", "#7a5cc0", "#c2477f", "#1f8f93", "#7b8794"];
const byId = (id) => document.getElementById(id);
// Attacks of the judge's own begin with a star.
const nameOf = (team) => (board?.teams.find((one) => one.id === team)?.name) ?? String(team).replace(/^\*/, "");
const colourOf = (team) => COLOURS[Math.max(0, board.teams.findIndex((one) => one.id === team)) % COLOURS.length];

async function refresh() {
  const mine = ++asked;
  try {
    const answer = await fetch("/api/board");
    if (!answer.ok) throw new Error(answer.status);
    const told = await answer.json();
    // Clocks of viewers differ; the server's decides.
    const date = Date.parse(answer.headers.get("date"));
    if (date) ahead = Date.now() - date;
    if (mine === asked) { board = told; draw(); }
  } catch { setTimeout(() => { if (mine === asked) refresh(); }, 1000); }
}
function draw() {
  if (!board) return;
  byId("name").textContent = document.title = board.name;
  const round = board.rounds.at(-1);
  rows(byId("defenders"), board.ceremony.length ? board.ceremony : board.total.defenders, "ice", round);
  rows(byId("attackers"), board.total.attackers, "fire", round);
  map(); matrix(round); banner(); clock();
}
function rows(list, standing, side) {
  const before = new Map([...list.children].map((one) => [one.dataset.team, one.getBoundingClientRect().top]));
  const most = Math.max(...standing.map((row) => Math.abs(row.total ?? 0)), 1e-9);
  list.replaceChildren(...(standing.length ? standing.map((row) => el("li", { "data-team": row.team },
    el("span", { class: "rank" }, row.rank === null ? "–" : String(Math.round(row.rank * 10) / 10)),
    el("span", { class: "who" }, bar((row.total ?? 0) / most, side), el("b", {}, nameOf(row.team))),
    el("span", { class: "total" }, row.total === null ? say("none") : number(row.total)))) : [el("li", {}, "", say("nobody"))]));
  for (const one of list.children) {
    const old = before.get(one.dataset.team);
    if (old === undefined) continue;
    const step = old - one.getBoundingClientRect().top;
    if (Math.abs(step) > 2 && one.animate && !matchMedia("(prefers-reduced-motion: reduce)").matches)
      one.animate([{ transform: `translateY(${step}px)` }, { transform: "none" }], { duration: 900, easing: "ease" });
  }
}
function bar(share, side) {
  return svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { x: 0, y: 0, height: 10, width: Math.max(0, 100 * share), fill: side === "ice" ? "#3f8fd9" : "#e4613c" }));
}
function points() {
  const found = new Map();
  for (const one of story) if (one.worth !== undefined && one.worth !== null && one.safety !== undefined) {
    const key = `${one.team}/${one.set}`;
    if (!found.has(key)) found.set(key, []);
    const path = found.get(key), point = [one.worth, one.safety], end = path.at(-1);
    if (!end || end[0] !== point[0] || end[1] !== point[1]) path.push(point);
  }
  return found;
}
function map() {
  const W = 640, H = 420, L = 52, B = 44, x = (v) => L + v * (W - L - 20), y = (v) => H - B - v * (H - B - 20);
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": say("map") });
  for (const v of [0, 0.25, 0.5, 0.75, 1]) picture.append(
    svg("line", { class: "grid", x1: x(v), x2: x(v), y1: y(0), y2: y(1) }), svg("line", { class: "grid", x1: x(0), x2: x(1), y1: y(v), y2: y(v) }),
    svg("text", { class: "axis", x: x(v), y: y(0) + 18, "text-anchor": "middle" }, v), svg("text", { class: "axis", x: x(0) - 8, y: y(v) + 4, "text-anchor": "end" }, v));
  picture.append(svg("text", { class: "axis", x: x(1), y: H - 4, "text-anchor": "end" }, say("worth") + " →"),
    svg("text", { class: "axis", x: L + 6, y: 14 }, "↑ " + say("safety")));
  const places = [];
  for (const [key, path] of points()) {
    const [team, set] = key.split("/"), end = path.at(-1);
    if (path.length > 1) picture.append(svg("polyline", { class: "path", points: path.map((p) => `${x(p[0])},${y(p[1])}`).join(" ") }));
    const label = nameOf(team) + (board.rounds.at(-1)?.releases.some((one) => one.team === team && one.set !== set) ? ` ${set}` : "");
    let place = y(end[1]) - 10;
    while (places.some(([px, py]) => Math.abs(px - x(end[0])) < 90 && Math.abs(py - place) < 15)) place -= 16;
    places.push([x(end[0]), place]);
    picture.append(svg("circle", { cx: x(end[0]), cy: y(end[1]), r: 8, fill: colourOf(team) }, svg("title", {}, `${label}: ${number(end[0])}, ${number(end[1])}`)),
      svg("text", { x: Math.min(x(end[0]) + 12, W - 8), y: place, "text-anchor": end[0] > 0.8 ? "end" : "start" }, label));
  }
  byId("map").replaceChildren(picture);
}
function matrix(round) {
  const place = byId("matrix");
  if (!round || !round.cells.length && !round.answered.length) { place.replaceChildren(el("p", { class: "soft" }, say("nobody"))); return; }
  const teams = board.teams.map((one) => one.id);
  const targets = [...new Set(round.releases.map((one) => `${one.team}/${one.set}`))];
  const seen = [...new Set(round.cells.map((one) => one.attacker)), ...round.answered.map((one) => one[2])];
  const attackers = [...teams.filter((one) => seen.includes(one)), ...[...new Set(seen)].filter((one) => !teams.includes(one))];
  const sets = new Set(round.releases.map((one) => one.set));
  const cell = (target, attacker) => {
    const [team, set] = target.split("/");
    if (team === attacker) return "";
    const found = round.cells.filter((one) => one.team === team && one.set === set && one.attacker === attacker);
    if (!found.length) return round.answered.some((one) => one[0] === team && one[1] === set && one[2] === attacker) ? el("span", { role: "img", "aria-label": say("answered"), title: say("answered") }, "✓") : "";
    const one = found[0], left = one.better === "higher" ? one.value : 1 - one.value;
    const hue = Math.max(0, Math.min(1, left)), red = [215, 80, 45], blue = [120, 180, 230];
    const colour = red.map((value, at) => Math.round(value + (blue[at] - value) * hue));
    const made = el("span", { class: "heat" }, number(left, 2));
    made.style.backgroundColor = `rgb(${colour})`;
    return made;
  };
  place.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, el("td"), ...attackers.map((one) => el("th", { scope: "col" }, nameOf(one))))),
    el("tbody", {}, ...targets.map((target) => el("tr", {}, el("th", { scope: "row" }, nameOf(target.split("/")[0]) + (sets.size > 1 ? ` · ${target.split("/")[1]}` : "")),
      ...attackers.map((attacker) => el("td", {}, cell(target, attacker))))))));
}
function banner() {
  const place = byId("banner");
  const text = lost ? "lost" : board.ceremony.length ? "unveiling" : board.paused ? "paused" : board.frozen ? "frozen" : board.final ? "final" : "";
  place.hidden = !text; place.className = text; place.textContent = text ? say(text) : "";
}
function clock() {
  if (!board) return;
  const now = Date.now() - ahead, at = (moment) => new Date(moment).getTime();
  const open = board.phase && board.schedule.find((one) => one.round === board.phase.round && one.phase === board.phase.name);
  const next = board.schedule.filter((one) => at(one.opens) > now).sort((a, b) => at(a.opens) - at(b.opens))[0];
  byId("phase").textContent = board.final ? say("final") : open ? say(open.phase) : next ? `${say("no phase")} · ${say("before")}` : say("no phase");
  const end = board.final ? null : open ? at(open.closes) : next ? at(next.opens) : null;
  const left = end === null ? 0 : Math.max(0, Math.floor((end - now) / 1000));
  const two = (value) => String(value).padStart(2, "0");
  byId("clock").textContent = end === null ? "" : `${left >= 3600 ? Math.floor(left / 3600) + ":" : ""}${two(Math.floor(left / 60) % 60)}:${two(left % 60)}`;
}
function sentence(one) {
  // As many digits as it takes to see a difference.
  const before = one.before ?? 1;
  const digits = [2, 3, 4].find((many) => number(before, many) !== number(one.safety, many)) ?? 2;
  const values = { ...one, team: nameOf(one.team), attacker: nameOf(one.attacker), worth: number(one.worth, 2), safety: number(one.safety, digits), before: number(before, digits),
    phase: say(one.phase), decision: say(one.decision) };
  return say(`s ${one.what}`, values);
}
function tell(one) {
  const time = new Date(one.at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
  return el("li", { "data-id": one.id, class: one.what === "lowered" ? "fire" : one.what === "released" ? "ice" : "" }, el("time", { datetime: one.at }, time), sentence(one));
}
function hear(items) {
  for (const one of items) if (one.id > last || !story.some((old) => old.id === one.id)) {
    story.push(one); last = Math.max(last, one.id);
    byId("ticker").prepend(tell(one));
  }
  while (byId("ticker").children.length > 100) byId("ticker").lastChild.remove();
  if (board) map();
}
function retell() { byId("ticker").replaceChildren(...story.slice(-100).reverse().map(tell)); draw(); }
onLanguage.push(() => { if (board) retell(); });
addEventListener("DOMContentLoaded", () => {
  refresh();
  listen(() => `/api/stream?after=${last}`, { story: hear, board: refresh, reset: () => { story.length = last = 0; byId("ticker").replaceChildren(); } },
    (open) => { lost = !open; if (board) banner(); });
  setInterval(clock, 500);
});
