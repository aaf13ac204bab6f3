// What has happened, in words.

import { h } from "../common/dom.js";
import { timeOfDay } from "../common/format.js";
import { say } from "../common/language.js";
import { distinctTexts, scoreText } from "../common/score.js";

const MOST = 100;
// Sentences that do not name the set.
const UNNAMED = new Set(["lowered", "held", "answered"]);
const COLOURS = { lowered: "fire", released: "ice" };

/**
 * The latest items of the story, the newest first; `live` says whether screen readers announce new
 * ones.
 */
export function ticker({ story, names, live, severalSets }) {
  const items = story.slice(-MOST).reverse();
  return h(
    "ol",
    {
      id: "ticker",
      tabindex: 0,
      "aria-live": live ? "polite" : "off",
      "aria-relevant": "additions",
      "aria-labelledby": "story-title",
    },
    items.map((item) =>
      h(
        "li",
        { key: item.id, "data-id": item.id, class: COLOURS[item.what] },
        h("time", { datetime: item.at }, timeOfDay(item.at)),
        sentence(item, names),
        severalSets && UNNAMED.has(item.what) && ` · ${item.set}`,
      ),
    ),
  );
}

/** An item of the story as a sentence. */
export function sentence(item, names) {
  return say(sentenceKey(item), {
    ...measured(item),
    team: names(item.team),
    attacker: names(item.attacker),
    set: item.set,
    round: item.round,
    place: item.place,
    phase: say(`phase.${item.phase}`),
    decision: say(`ruling.${item.decision}`),
  });
}

function sentenceKey({ what, worth, before }) {
  if (what === "released" && !worth) {
    return "story.released.unmeasured";
  }
  // Before the first attack there is no safety to compare with.
  return what === "lowered" && !before ? "story.lowered.first" : `story.${what}`;
}

function measured({ metric, worth, safety, before }) {
  const [was, is] = before && safety ? distinctTexts(before, safety) : [null, scoreText(safety)];
  const unbounded = worth && worth.good === null;
  return {
    metric: unbounded ? metric : say("utility"),
    worth: scoreText(worth),
    safety: is,
    before: was,
  };
}
