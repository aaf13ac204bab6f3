// What a visitor can learn from a method that is on the screen, or in between.

import { stepsOf } from "../common/terms.js";

const FAMILIES = {
  names: ["pseudonyms"],
  noise: ["noise", "round", "planar_laplace", "shift_dates", "shift_sensitive"],
  classes: [
    "mondrian",
    "global_recode",
    "k_member",
    "local_suppression",
    "generalize",
    "merge_similar",
    "union_clusters",
  ],
  conceal: ["conceal"],
  random: ["pram", "swap", "krr", "decoys"],
  average: ["microaggregate", "block_medoid"],
  ranks: ["rank", "sort", "sa21"],
  nearest: ["euclid", "posterior", "record_matching"],
  cells: ["inside", "told"],
  keys: ["id_rand", "id_sa", "qi"],
  learned: ["learned", "shadow", "informed"],
};
const GENERAL = ["worst", "cost", "secret", "tomorrow", "names", "classes", "random"];

/** The key of the lesson of a method, or null if it is not known. */
export function lessonOf(method) {
  const families = new Set(stepsOf(method).map(familyOf));
  families.delete(undefined);
  if (families.size > 1) {
    return "lesson.mixed";
  }
  const [family] = families;
  return family ? `lesson.${family}` : null;
}

function familyOf(step) {
  return Object.keys(FAMILIES).find((family) => FAMILIES[family].includes(step));
}

/** The lesson of a turn, if there is no method to speak of. */
export function generalLesson(turn) {
  return `lesson.${GENERAL[turn % GENERAL.length]}`;
}
