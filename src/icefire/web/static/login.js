"use strict";
const main = () => document.getElementById("main");
function draw() {
  const told = el("div", { role: "alert" });
  const form = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    const data = new FormData(form);
    try {
      const person = await call("POST", "/api/login", { login: data.get("login"), password: data.get("password") });
      location.href = person.role === "operator" ? "/operator" : "/team";
    } catch (error) { told.replaceChildren(faults(error)); }
  } },
  el("label", {}, say("login name"), el("input", { name: "login", autocomplete: "username", required: true, maxlength: 60 })),
  el("label", {}, say("password"), el("input", { name: "password", type: "password", autocomplete: "current-password", required: true, maxlength: 200 })),
  el("button", { class: "strong", type: "submit" }, say("login")), told);
  main().replaceChildren(el("section", {}, el("h2", {}, say("login")), form));
}
onLanguage.push(draw);
