// What the audience can choose to look at: a data set and one of its tasks.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { term } from "../common/terms.js";

/**
 * All tasks of all sets, in the order of the contest; `first` marks the one that decides a set's
 * safety.
 */
export function tasksIn(board) {
  return board.sets.flatMap((set) =>
    set.tasks.map((name, index) => ({
      set: set.name,
      name,
      first: index === 0,
      key: `${set.name}/${name}`,
    })),
  );
}

/** The task that decides the safety of a set. */
export function firstOf(tasks, set) {
  return tasks.find((task) => task.set === set && task.first);
}

/** Buttons for the sets, if there are several. */
export function setChoice(tasks, current, choose) {
  const entries = tasks.filter((task) => task.first);
  return choices({ label: "choose set", entries, text: (task) => term(task.set), current, choose });
}

/** Buttons for the tasks, if there are several. */
export function taskChoice(tasks, current, choose) {
  const oneSet = tasks.every((task) => task.set === current.set);
  const text = (task) => (oneSet ? term(task.name) : `${term(task.set)} · ${term(task.name)}`);
  return choices({ label: "choose task", entries: tasks, text, current, choose });
}

function choices({ label, entries, text, current, choose }) {
  if (entries.length < 2) {
    return null;
  }
  const buttons = entries.map((entry) => {
    const attributes = {
      "aria-pressed": String(entry.key === current.key),
      "data-choice": entry.key,
    };
    const onclick = () => choose(entry);
    return h("button", { type: "button", key: entry.key, onclick, ...attributes }, text(entry));
  });
  return h("div", { class: "choices", role: "group", "aria-label": say(label) }, buttons);
}
