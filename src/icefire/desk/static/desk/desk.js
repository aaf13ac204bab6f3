// The desk: sessions of one's own files, each in five steps.

import { faultList } from "../common/api.js";
import { h } from "../common/dom.js";
import { onLanguage, say } from "../common/language.js";
import { showPage } from "../common/page.js";
import { WORDS } from "../common/words.js";
import { columnsPage } from "./columns.js";
import { decidePage } from "./decide.js";
import { filePage } from "./file.js";
import { frontierPage } from "./frontier.js";
import { goalPage } from "./goal.js";
import { homePage } from "./home.js";
import "./key.js";
import { desk } from "./state.js";
import { DESK } from "./words.js";

const PAGES = {
  file: filePage,
  columns: columnsPage,
  goal: goalPage,
  frontier: frontierPage,
  decide: decidePage,
};

Object.assign(WORDS.en, DESK.en);
Object.assign(WORDS.ja, DESK.ja);
desk.page = desk.id ? (PAGES[desk.step] ?? filePage) : homePage;
desk.draw = showPage({ frame: () => ({ title: title() }), main, foot: () => [say("desk.foot")] });
onLanguage(() => desk.attempt(desk.load));
desk.attempt(desk.load);

function title() {
  return desk.session ? `${desk.session.name} – icefire` : say("desk.title");
}

function main() {
  const faults = h(
    "div",
    { class: "full", role: "alert", key: "faults" },
    desk.faults.length > 0 && faultList(desk.faults),
  );
  if (!desk.id) {
    return [faults, desk.page.main()];
  }
  return [steps(), faults, desk.session ? desk.page.main() : []];
}

function steps() {
  return h(
    "nav",
    { class: "steps full", "aria-label": say("desk.steps") },
    h("a", { href: "/", class: "home" }, say("desk.home")),
    h("ol", {}, Object.keys(PAGES).map(step)),
  );
}

function step(name) {
  const current = name === desk.step ? "step" : null;
  const href = `/session/${desk.id}/${name}`;
  return h(
    "li",
    { key: name },
    h("a", { href, "aria-current": current }, say(`desk.step.${name}`)),
  );
}
