// Scenes of moments: a release enters, a duel, a new leader, a phase begins.

import { actors, measured, methodOf, outcomeOf, sentence } from "../audience/story.js";
import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { shortened } from "../common/names.js";
import { methodText } from "../common/terms.js";
import { gauge } from "./gauge.js";
import { lessonOf } from "./lessons.js";
import { latestRelease } from "./tales.js";
import { sizeOfName, title } from "./title.js";

const LONGEST = 26;

export function phase({ scene: { moment } }) {
  const { phase: name } = moment.item;
  return {
    title: say(`phase.${name}`),
    content: h("div", { class: `card ${name}` }, h("p", { class: "huge" }, say(moment.key))),
  };
}

export function entrance({ scene: { moment }, names }) {
  const { item } = moment;
  const { worth, metric } = measured(item);
  return {
    title: say(moment.key, { team: names(item.team) }),
    content: h(
      "div",
      { class: "card defence" },
      title(names(item.team), "ice"),
      item.method && h("p", { class: "large" }, methodText(item.method)),
      item.worth && h("p", { class: "large soft" }, `${metric} ${worth}`),
      gauge(item.worth, false),
      caption(item.method),
    ),
  };
}

export function duel({ scene: { moment }, names, story }) {
  const { item, key, n } = moment;
  const { attacker, team, method } = actors(item, names);
  const short = (id) => shortened(names(id), LONGEST);
  const release = latestRelease(item.team, story)?.method;
  const scored = item.what !== "answered";
  return {
    title: say(key, { ...actors(item, short), n }),
    content: h(
      "div",
      { class: `card fight ${item.what}` },
      h(
        "div",
        { class: "sides" },
        side("fire", attacker, method),
        h("p", { class: "versus", "aria-hidden": "true" }, outcomeOf(item) === "held" ? "×" : "⚔"),
        side("ice", team, methodText(release)),
      ),
      scored && safety(item),
      h("p", { class: "large" }, sentence(item, short)),
      caption(item.id % 2 === 0 ? release : methodOf(item), release),
    ),
  };
}

function side(role, name, method) {
  return h(
    "div",
    { class: `side ${role}` },
    h("p", { class: `fighter ${sizeOfName(name)}` }, name),
    h("p", { class: "weapon" }, method),
  );
}

/** What an attack has burnt; if others had left as little, what it leaves by itself. */
function safety(item) {
  const { safety: lowest, before, left } = measured(item);
  const lowered = item.what === "lowered";
  const own = !lowered && item.left;
  const first = own ? say("gauge.left", { left }) : say("gauge.safety", { safety: lowest });
  const second = own
    ? say("gauge.lowest", { safety: lowest })
    : lowered && before !== null && say("gauge.before", { before });
  return h(
    "div",
    { class: "safety" },
    h("p", {}, h("b", {}, first), second && h("span", { class: "soft" }, ` ${second}`)),
    gauge(own ? item.left : item.safety, lowered ? item.before : null),
  );
}

export function lead({ scene: { moment }, names, story }) {
  const { team, before } = moment.item;
  const release = latestRelease(team, story)?.method;
  const { worth, safety: left } = measured(story.findLast((item) => standsIn(item, team)) ?? {});
  return {
    title: say("moment.lead", { team: names(team) }),
    content: h(
      "div",
      { class: "card defence" },
      title(names(team), "gold"),
      release && h("p", { class: "large" }, methodText(release)),
      h("p", { class: "large" }, say("tale.worth", { worth, safety: left })),
      h("p", { class: "large soft" }, say("moment.lead.before", { team: names(before) })),
      caption(release),
    ),
  };
}

/** Whether an item says how a team's release stands. */
function standsIn(item, team) {
  return item.team === team && item.worth && item.safety;
}

/** The lesson of the first of some methods that has one. */
function caption(...methods) {
  const lesson = methods.map(lessonOf).find(Boolean);
  return lesson && h("p", { key: "lesson", class: "caption" }, say(lesson));
}
