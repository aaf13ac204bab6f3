// Names of teams, and of attacks that the judge runs itself. The audience never sees an id.

import { say } from "./language.js";
import { term } from "./terms.js";

/** Whether an attacker is the judge: ids of its own attacks begin with a star. */
export function isJudge(id) {
  return String(id ?? "").startsWith("*");
}

/** A function from ids to names. */
export function namesIn(board) {
  const names = new Map(board.teams.map((team) => [team.id, team.name]));
  return (id) => {
    if (isJudge(id)) {
      return say("judge.attack", { method: term(id.slice(1)) });
    }
    return names.get(id) ?? String(id ?? "");
  };
}

/** How wide a text is in halves of a Chinese character. */
export function widthOf(text) {
  return [...text].reduce((sum, letter) => sum + (letter.codePointAt(0) > 0x2e7f ? 2 : 1), 0);
}

/** A text of at most `width` halves, with an ellipsis where it is cut. */
export function shortened(text, width) {
  if (widthOf(text) <= width) {
    return text;
  }
  const letters = [...text];
  while (widthOf(letters.join("")) > width - 1) {
    letters.pop();
  }
  return `${letters.join("").trimEnd()}…`;
}

/** Short names that differ from each other: a number tells apart those that are cut alike. */
export function shortNames(ids, names, width) {
  const texts = ids.map((id) => shortened(names(id), width));
  const seen = new Map();
  return new Map(
    ids.map((id, index) => {
      const count = (seen.get(texts[index]) ?? 0) + 1;
      seen.set(texts[index], count);
      const alike = texts.filter((text) => text === texts[index]).length > 1;
      return [id, alike ? `${shortened(names(id), width - 2)}${count}` : texts[index]];
    }),
  );
}
