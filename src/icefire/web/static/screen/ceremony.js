// Scenes of the end: one team at a time with its story, podiums and prizes.

import { holder } from "../audience/prizes.js";
import { standings as list, sizeOf } from "../audience/standings.js";
import { h } from "../common/dom.js";
import { number, placeIn, placeText } from "../common/format.js";
import { say } from "../common/language.js";
import { attackTale, defenceTale } from "./tales.js";
import { title } from "./title.js";

const PODIUM = 3;

export function unveiled({ scene: { moment }, board, story, names }) {
  const { team, of, rank, alike, releases } = moment.item;
  const side = of === "attack" ? "attackers" : "defenders";
  // The operator may be ahead of the stage, and have thawed the board.
  const rows = board.frozen ? board.ceremony[side] : board.total[side];
  const total = rows.find((row) => row.team === team)?.total ?? null;
  return {
    title: say(of === "attack" ? "attackers" : "defenders"),
    wide: true,
    content: portrait({ team, of, place: placeText(rank, alike), total, releases, story, names }),
  };
}

function portrait({ team, of, place, total, releases, story, names }) {
  const tale = of === "attack" ? attackTale : defenceTale;
  return h(
    "div",
    { class: `card portrait ${of}` },
    h("p", { class: "large" }, say("place of", { place })),
    title(names(team), of === "attack" ? "fire" : "ice"),
    total !== null && h("p", { class: "large" }, say("total of", { total: number(total) })),
    h(
      "ul",
      { class: "tale" },
      tale(team, story, names, releases).map((text) => h("li", {}, text)),
    ),
  );
}

/** Everything that was unveiled so far. */
export function ceremony({ board, names }) {
  const { defenders, attackers } = board.ceremony;
  const column = (id, rows) =>
    h("div", { key: id }, h("h3", {}, say(id)), list(`all-${id}`, rows, names));
  return {
    title: say("scene.ceremony"),
    wide: true,
    content: h(
      "div",
      { class: "both" },
      column("defenders", defenders),
      column("attackers", attackers),
    ),
  };
}

export function podium({ board, names }) {
  return steps("scene.podium.defence", "ice", board.total.defenders, names);
}

export function fire({ board, names }) {
  return steps("scene.podium.attack", "fire", board.total.attackers, names);
}

function steps(title, colour, rows, names) {
  const best = rows.filter((row) => row.rank !== null).slice(0, PODIUM);
  return {
    title: say(title),
    wide: true,
    content: h(
      "ol",
      { class: "steps" },
      best.map((row, index) =>
        h(
          "li",
          { key: row.team, class: `step step${index + 1}` },
          h("p", { class: "medal" }, placeIn(rows, row)),
          h("p", { class: `medallist ${colour}` }, names(row.team)),
          h("p", { class: "soft" }, say("total of", { total: number(row.total) })),
        ),
      ),
    ),
  };
}

export function prizes({ board, names }) {
  return {
    title: say("prizes"),
    wide: true,
    content: h(
      "dl",
      { class: `awards ${sizeOf(board.prizes.length)}` },
      board.prizes.map((prize) =>
        h("div", { key: prize.name }, h("dt", {}, prize.name), h("dd", {}, holder(prize, names))),
      ),
    ),
  };
}

/** One team after the other, when everything is public, the best first. */
export function tales({ board, story, names, scene }) {
  const rows = board.total.defenders.filter((row) => row.rank !== null);
  const row = rows[(scene.turn ?? 0) % rows.length];
  const place = placeIn(board.total.defenders, row);
  return {
    title: say("defenders"),
    wide: true,
    content: portrait({
      team: row.team,
      of: "defence",
      place,
      total: row.total,
      story,
      names,
    }),
  };
}
