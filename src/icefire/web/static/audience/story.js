// What has happened, in words.

import { h } from "../common/dom.js";
import { placeText, timeOfDay } from "../common/format.js";
import { say } from "../common/language.js";
import { isJudge } from "../common/names.js";
import { distinctTexts, scoreText } from "../common/score.js";
import { methodText, term } from "../common/terms.js";

const MOST = 100;
// Sentences that do not name the set.
const UNNAMED = new Set(["lowered", "held", "answered"]);
const HALF = 0.5;
const COLOURS = { lowered: "fire", released: "ice" };

/** The latest items of the story, the newest first. */
export function ticker({ story, names, severalSets }) {
  const items = story.slice(-MOST).reverse();
  return h(
    "ol",
    { id: "ticker", tabindex: 0, "aria-labelledby": "story-title" },
    items.map((item) =>
      h(
        "li",
        { key: item.id, "data-id": item.id, class: COLOURS[item.what] },
        h("time", { datetime: item.at }, timeOfDay(item.at)),
        sentence(item, names),
        severalSets && UNNAMED.has(item.what) && ` · ${term(item.set)}`,
      ),
    ),
  );
}

/** An item of the story as a sentence. */
export function sentence(item, names) {
  return say(sentenceKey(item), {
    ...measured(item),
    ...actors(item, names),
    set: term(item.set),
    round: term(item.round),
    place: placeText(item.rank, item.alike),
    phase: say(`phase.${item.phase}`),
    decision: say(`ruling.${item.decision}`),
    prize: item.prize,
  });
}

/** Who has done it to whom with which method, in words. */
export function actors(item, names) {
  return {
    team: names(item.team),
    attacker: isJudge(item.attacker) ? say("judge") : names(item.attacker),
    method: methodText(methodOf(item)),
  };
}

/** The method of an item, if it is known; the judge's attacks are named after theirs. */
export function methodOf({ attacker, method }) {
  return isJudge(attacker) ? attacker.slice(1) : method;
}

/**
 * What has come of an attack: lowered (a new low), or without one held (the release stands), struck
 * (the attack alone leaves less than half) or weaker (it does not, but others did).
 */
export function outcomeOf({ what, left, safety }) {
  if (what !== "held") {
    return what;
  }
  const [own, lowest] = [left, safety].map((score) => score?.good ?? 1);
  if (own < HALF) {
    return "struck";
  }
  return lowest < HALF ? "weaker" : "held";
}

function sentenceKey(item) {
  const { what, worth, before, of } = item;
  if (what === "unveiled") {
    return `story.unveiled.${of}`;
  }
  let key = `story.${outcomeOf(item) === "weaker" ? "struck" : outcomeOf(item)}`;
  if (what === "released" && !worth) {
    key += ".unmeasured";
  }
  if (what === "lowered" && !before) {
    // Before the first attack there is no safety to compare with.
    key += ".first";
  }
  return methodOf(item) ? `${key}.with` : key;
}

/** What an item has measured, in words. */
export function measured({ metric, worth, safety, before, left }) {
  const [was, is] = before && safety ? distinctTexts(before, safety) : [null, scoreText(safety)];
  const unbounded = worth && worth.good === null;
  return {
    metric: unbounded ? term(metric) : say("utility"),
    worth: scoreText(worth),
    safety: is,
    before: was,
    left: scoreText(left),
  };
}
