"use strict";
// The operator's page: teams, course, alarms, flags, log.
let board = null, log = [], told = "", drawn = "", pending = false;
const main = () => document.getElementById("main");
const nameOf = (team) => (board?.teams.find((one) => one.id === team)?.name) ?? team;

async function load() {
  try { board = await call("GET", "/api/operator"); log = (await call("GET", `/api/operator/log?after=${Math.max(0, board.seq - 100)}`)).reverse(); }
  catch (error) { if (error.status === 401) location.href = "/login"; else if (error.status === 403) main().replaceChildren(el("section", {}, say("not allowed"))); return; }
  // Nobody loses what they are typing.
  const now = `${board.seq} ${language}`;
  if (now === drawn || document.activeElement?.matches?.("input")) { pending = now !== drawn; return; }
  draw();
}
async function act(path, body) {
  const place = document.getElementById("told");
  try { const answer = await call("POST", path, body); told = answer.invitation ? say("invitation of", { team: nameOf(answer.team) || answer.team, code: `${location.origin}/join#${answer.invitation}` }) : say("done"); document.activeElement?.blur?.(); await load(); draw(); document.getElementById("told").textContent = told; }
  catch (error) { place.replaceChildren(faults(error)); }
}
function why() { return document.getElementById("why")?.value.trim() || ""; }
function button(key, path, body, strong = false) { return el("button", { type: "button", class: strong ? "strong" : "", "data-act": key, onclick: () => act(path, { why: why(), ...body?.() }) }, say(key)); }
function table(header, rows) { return el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...header.map((one) => el("th", { scope: "col" }, one)))), el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((one) => el("td", {}, ...[one].flat()))))))); }
function evidence(found) {
  return Object.entries(found).flatMap(([metric, values]) => [el("b", {}, metric), ...Object.entries(values).filter(([, value]) => typeof value !== "object").map(([name, value]) => el("div", {}, `${name}: ${typeof value === "number" ? number(value, 4) : value}`))]);
}
function draw() {
  if (!board) return;
  drawn = `${board.seq} ${language}`; pending = false;
  const old = { why: document.getElementById("why")?.value ?? "", minutes: document.getElementById("minutes")?.value ?? "10", team: document.getElementById("team")?.value ?? "" };
  const focus = document.activeElement?.id;
  document.getElementById("name").textContent = board.name;
  document.getElementById("phase").textContent = [board.phase ? say(board.phase.name) : say("no phase"), board.paused && say("paused"), board.frozen && say("freeze"), board.final && say("final")].filter(Boolean).join(" · ");
  document.getElementById("tools").querySelector("#session")?.remove();
  document.getElementById("tools").append(el("button", { id: "session", type: "button", onclick: async () => { await call("POST", "/api/logout"); location.href = "/"; } }, say("logout")));
  const minutes = () => ({ minutes: Number(document.getElementById("minutes").value) });
  const actions = "/api/operator/actions/";
  const parts = [
    el("section", {}, el("h2", {}, say("course")), el("div", { class: "row" }, el("label", {}, say("why"), el("input", { id: "why", maxlength: 500, value: old.why })), el("label", {}, say("minutes"), el("input", { id: "minutes", type: "number", min: 1, value: old.minutes }))),
      el("p", { class: "row" }, ...(board.paused ? [button("resume", actions + "resume", null, true)] : [button("pause", actions + "pause")]), button("extend", actions + "extend", minutes), button("delay", actions + "delay", minutes),
        ...(board.frozen ? [button("unveil", actions + "unveil"), button("thaw", actions + "thaw")] : [button("freeze", actions + "freeze")]), button("finalize", actions + "finalize")),
      el("div", { id: "told", role: "status" }, told), el("p", {}, say("queue", { n: board.waiting })),
      table([say("round"), say("phase"), say("opens"), say("closes")], [...board.schedule].sort((a, b) => new Date(a.opens) - new Date(b.opens)).map((one) => [String(one.round + 1), say(one.phase), new Date(one.opens).toLocaleString(language), new Date(one.closes).toLocaleString(language)]))),
    el("section", {}, el("h2", {}, say("alarms")), board.alarms.filter((one) => !one.resolved).length ? table(["", "", ""], board.alarms.filter((one) => !one.resolved).map((one) => [el("code", {}, one.reference), `${one.message} (${one.job})`,
        [button("retry", `/api/operator/alarms/${one.reference}`), " ", button("dismiss", `/api/operator/alarms/${one.reference}/dismissal`)]])) : el("p", { class: "soft" }, say("nothing")),
      el("h2", {}, say("flags")), board.flags.length ? table([say("teams"), say("evidence"), ""], board.flags.map((one) => [`${nameOf(one.team)} · ${one.set}`, evidence(one.evidence),
        one.ruling ? say(one.ruling) : [true, false].flatMap((valid) => [el("button", { type: "button", "data-act": valid ? "rule valid" : "rule invalid", onclick: () => act("/api/operator/rulings", { round: one.round, team: one.team, set: one.set, valid, why: why() }) }, say(valid ? "rule valid" : "rule invalid")), " "])])) : el("p", { class: "soft" }, say("nothing"))),
    el("section", {}, el("h2", {}, say("teams")), el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); const name = document.getElementById("team").value; document.getElementById("team").value = ""; act("/api/operator/teams", { name }); } },
        el("label", {}, say("new team"), el("input", { id: "team", maxlength: 40, required: true, value: old.team })), el("button", { class: "strong", type: "submit" }, say("add"))),
      table(["", ""], board.teams.map((one) => [one.name + (one.withdrawn ? " ✗" : ""), [el("button", { type: "button", onclick: () => act(`/api/operator/teams/${one.id}/invitation`) }, say("invite")), " ", button("withdraw", `/api/operator/teams/${one.id}/withdrawal`)]]))),
    el("section", {}, el("h2", {}, say("standings")), table(["", say("teams"), ""], board.total.defenders.map((one) => [one.rank === null ? "–" : String(one.rank), nameOf(one.team), number(one.total)])),
      el("p", {}, el("a", { href: "/api/operator/tables/standings", download: true }, "standings.csv"), " · ", el("a", { href: "/api/operator/tables/matrix", download: true }, "matrix.csv"))),
    el("section", { class: "full" }, el("h2", {}, say("log")), table(["#", "", "", "", ""], log.map((one) => [String(one.seq), new Date(one.at).toLocaleTimeString(language), one.who, one.what, el("code", {}, one.what === "created" ? "" : JSON.stringify(one.data).slice(0, 200))]))),
  ];
  main().replaceChildren(...parts);
  if (focus) document.getElementById(focus)?.focus();
}
onLanguage.push(draw);
addEventListener("DOMContentLoaded", async () => { await load(); listen(() => "/api/stream", { board: load, story: load }); setInterval(load, 5000); addEventListener("focusout", () => setTimeout(() => { if (pending) load(); }, 100)); });
