// What a team can download: its own data, the samples, and the releases of others.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";

export function problems(own) {
  if (!own.problems.length) {
    return null;
  }
  const links = own.problems.map(({ round, set }) => {
    const text = say("problem.link", { set, round: round + 1 });
    return h("li", { key: `${round}/${set}` }, download(`/api/problems/${round}/${set}`, text));
  });
  const kit = h("li", { key: "kit" }, download("/api/kit", say("kit")));
  return h(
    "section",
    { key: "problems", id: "problems" },
    h("h2", {}, say("problem")),
    h("ul", {}, links, kit),
  );
}

export function targets(own, names) {
  if (own.phase?.name !== "attack") {
    return null;
  }
  const links = targetsOf(own).map(({ team, set, left }) =>
    h(
      "li",
      { key: `${team}/${set}` },
      download(`/api/releases/${own.phase.round}/${team}/${set}`, `${names(team)} · ${set}`),
      ` (${say("left", { n: left })})`,
    ),
  );
  return h(
    "section",
    { key: "targets", id: "targets" },
    h("h2", {}, say("targets")),
    h("ul", {}, links),
  );
}

/** The releases that a team may attack now, with the tries it has left for each. */
export function targetsOf(own) {
  return Object.entries(own.guesses_left).flatMap(([set, teams]) =>
    Object.entries(teams).map(([team, left]) => ({ team, set, left })),
  );
}

function download(href, text) {
  return h("a", { href, download: true }, text);
}
