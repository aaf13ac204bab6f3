// How releases have moved between utility and safety.

/** The points that the releases of a set have passed in the current round, by team. */
export function pathsOf(story, set) {
  const begin = story.findLastIndex(opensDefence);
  const paths = new Map();
  for (const item of story.slice(begin + 1).filter((entry) => entry.set === set && entry.worth)) {
    const path = paths.get(item.team) ?? [];
    paths.set(item.team, samePlace(path.at(-1), item) ? path : [...path, item]);
  }
  return paths;
}

function opensDefence({ what, phase }) {
  return what === "phase_opened" && phase === "defence";
}

function samePlace(before, item) {
  return before?.worth.value === item.worth.value && before.safety?.value === item.safety?.value;
}
