// Two releases of a session, side by side.

import { get } from "../common/api.js";
import { h } from "../common/dom.js";
import { plain } from "../common/format.js";
import { say } from "../common/language.js";
import { term } from "../common/terms.js";
import { in100, rawTable, stepsText } from "./parts.js";
import { desk } from "./state.js";

const picked = { numbers: [], found: [] };

/** Choices of two releases, and what was found about them. */
export function compare(releases) {
  if (!picked.numbers.length) {
    pick(releases.slice(-2).map(({ number }) => number));
  }
  return h(
    "div",
    { key: "compare" },
    h("h3", {}, say("desk.compare")),
    h(
      "div",
      { class: "row" },
      [0, 1].map((place) => choice(releases, place)),
    ),
    picked.found.length === 2 && table(picked.found),
  );
}

function pick(numbers) {
  Object.assign(picked, { numbers, found: [] });
  desk.attempt(async () => {
    const paths = numbers.map((number) => `/api/sessions/${desk.id}/releases/${number}`);
    picked.found = await Promise.all(paths.map(get));
  });
}

function choice(releases, place) {
  const choose = (event) => pick(picked.numbers.with(place, Number(event.target.value)));
  return h(
    "label",
    { key: `${place}` },
    say(`desk.compare.${place}`),
    h(
      "select",
      { onchange: choose },
      releases.map(({ number, arguments: given }) =>
        h(
          "option",
          { value: String(number), key: `${number}`, selected: number === picked.numbers[place] },
          `${number}: ${stepsText(given.steps)}`,
        ),
      ),
    ),
  );
}

function table([one, other]) {
  const informed = (release) => release.risks.filter((risk) => risk.method_known);
  const risks = informed(one).map(({ background_knowledge: level, risk }) => [
    say(`desk.level.${level}`),
    in100(risk),
    in100(informed(other).find((each) => each.background_knowledge === level)?.risk),
  ]);
  const worth = one.utility.map(({ name, score }) => {
    const beside = other.utility.find((outcome) => outcome.name === name)?.score;
    return [term(name), score ? plain(score.value) : "–", beside ? plain(beside.value) : "–"];
  });
  const heads = [say("desk.what"), one, other].map((entry) =>
    entry.answer === undefined ? entry : `${entry.job.number}: ${entry.answer.headline}`,
  );
  return rawTable(say("desk.compare"), heads, [...risks, ...worth]);
}
