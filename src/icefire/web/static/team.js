"use strict";
// A team's page: its data, its tries, its uploads and what the judge says of them.
let own = null, board = null;
const senders = {};
let token = "";
const main = () => document.getElementById("main");
const nameOf = (team) => (board?.teams.find((one) => one.id === team)?.name) ?? team;

async function load() {
  try { own = await call("GET", "/api/own"); board = await call("GET", "/api/board"); }
  catch (error) { if (error.status === 401) location.href = "/login"; else if (error.status === 403) main().replaceChildren(el("section", {}, say("not allowed"))); return; }
  draw();
}
function sender(title, choices, path, files) {
  // A form that somebody is filling in stays as it is while nothing about it changes.
  const signature = JSON.stringify([language, choices, files]);
  const before = senders[path];
  if (before?.signature === signature) return before.section;
  const told = before?.told ?? el("div", { role: "status", class: "told" });
  const choice = el("select", { name: "choice" }, ...choices.map((one) => el("option", { value: one.path }, one.label)));
  const file = el("input", { type: "file", name: "file", required: true, accept: ".zip,.csv" });
  const form = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    told.replaceChildren();
    try { await call("PUT", path + choice.value, file.files[0], true); told.replaceChildren(el("p", { class: "ok" }, say("taken"))); form.reset(); await load(); }
    catch (error) { told.replaceChildren(el("p", { class: "bad" }, say("refused")), faults(error)); }
  } }, el("div", { class: "row" }, el("label", {}, say(path.includes("guess") ? "target" : "set"), choice), el("label", {}, say("file"), file), el("button", { class: "strong", type: "submit" }, say("send"))),
  el("p", { class: "soft" }, say("files", { files: files.join(", ") })));
  const section = el("section", { id: path.includes("guess") ? "guess" : "release" }, el("h2", {}, say(title)), form, told);
  senders[path] = { signature, section, told };
  return section;
}
function draw() {
  if (!own) return;
  document.getElementById("name").textContent = own.name;
  document.getElementById("phase").textContent = own.phase ? say(own.phase.name) : say("no phase");
  document.getElementById("tools").querySelector("#session")?.remove();
  document.getElementById("tools").append(el("button", { id: "session", type: "button", onclick: async () => { await call("POST", "/api/logout"); location.href = "/"; } }, say("logout")));
  const parts = [];
  if (own.problems.length) parts.push(el("section", {}, el("h2", {}, say("problem")), el("ul", {}, ...own.problems.map((one) =>
    el("li", {}, el("a", { href: `/api/problems/${one.round}/${one.set}`, download: true }, `${one.set} · ${say("round")} ${one.round + 1}`))), el("li", {}, el("a", { href: "/api/kit", download: true }, say("kit"))))));
  const left = Object.entries(own.left);
  if (own.phase?.name === "defence") parts.push(sender("send release", left.map(([set, n]) => ({ path: set, label: `${set} (${say("left", { n })})` })), "/api/releases/", own.files.release));
  else if (own.phase?.name === "attack") {
    const targets = left.flatMap(([set, of]) => Object.entries(of).map(([team, n]) => ({ team, set, n })));
    parts.push(el("section", {}, el("h2", {}, say("targets")), el("ul", {}, ...targets.map((one) => el("li", {}, el("a", { href: `/api/releases/${own.phase.round}/${one.team}/${one.set}`, download: true }, `${nameOf(one.team)} · ${one.set}`), ` (${say("left", { n: one.n })})`)))));
    parts.push(sender("send guess", targets.filter((one) => one.n > 0).map((one) => ({ path: `${one.team}/${one.set}`, label: `${nameOf(one.team)} · ${one.set}` })), "/api/guesses/", own.files.guess));
  } else parts.push(el("section", {}, say("closed now")));
  parts.push(el("section", { id: "uploads" }, el("h2", {}, say("uploads")), own.uploads.length ? el("div", { class: "scroll" }, el("table", {}, el("tbody", {}, ...[...own.uploads].reverse().map((one) => el("tr", {},
    el("td", {}, new Date(one.at).toLocaleTimeString(language)), el("td", {}, one.target ? `→ ${nameOf(one.target)} · ${one.set}` : one.set),
    el("td", { class: one.status === "rejected" ? "bad" : one.status === "accepted" ? "ok" : "soft" }, say(one.status) + (one.counts ? ` · ${say("counts")}` : "")),
    el("td", {}, ...one.faults.map((fault) => el("div", { class: "bad" }, fault)), one.reference ? el("div", { class: "bad" }, say("reference", { n: one.reference })) : null,
      ...Object.entries(one.measures).map(([name, value]) => el("div", {}, `${name}: ${value.value === undefined ? value.undefined : number(value.value, 4)}`)))))))) : el("p", { class: "soft" }, say("nothing"))));
  parts.push(el("section", {}, el("h2", {}, say("token")), el("button", { type: "button", onclick: async () => { token = (await call("POST", "/api/tokens")).token; draw(); } }, say("make token")), " ", el("code", { id: "token" }, token), el("p", { class: "soft" }, say("once"))));
  const focus = document.activeElement;
  main().replaceChildren(...parts);
  if (focus && main().contains(focus)) focus.focus();
}
onLanguage.push(draw);
addEventListener("DOMContentLoaded", async () => {
  await load();
  listen(() => "/api/stream", { board: load, story: load });
  setInterval(() => { if (own?.uploads.some((one) => one.status === "waiting")) load(); }, 1000);
});
