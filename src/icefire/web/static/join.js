"use strict";
const main = () => document.getElementById("main");
function draw() {
  const told = el("div", { role: "alert" });
  const form = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    try { await call("POST", "/api/join", { code: data.get("code"), login: data.get("login"), password: data.get("password") }); location.href = "/team"; }
    catch (error) { told.replaceChildren(faults(error)); }
  } },
  el("label", {}, say("code"), el("input", { name: "code", required: true, maxlength: 100, value: location.hash.slice(1) })),
  el("label", {}, say("login name"), el("input", { name: "login", autocomplete: "username", required: true, maxlength: 60 })),
  el("label", {}, say("password"), el("input", { name: "password", type: "password", autocomplete: "new-password", required: true, minlength: 10, maxlength: 200 })),
  el("button", { class: "strong", type: "submit" }, say("join")), told);
  main().replaceChildren(el("section", {}, el("h2", {}, say("join")), form));
}
onLanguage.push(draw);
