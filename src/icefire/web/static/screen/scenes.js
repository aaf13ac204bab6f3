// All scenes by name. A scene is a function from { scene, beat, board, story, names } to
// { title, wide, content }; wide ones leave the standings beside the stage out.

import { duel, entrance, lead, phase } from "./acts.js";
import { ceremony, fire, podium, prizes, tales, unveiled } from "./ceremony.js";
import { freeze, lesson, lineup, map, matrix, opening, standings } from "./views.js";

export const SCENES = {
  ceremony,
  duel,
  entrance,
  fire,
  freeze,
  lead,
  lesson,
  lineup,
  map,
  matrix,
  opening,
  phase,
  podium,
  prizes,
  standings,
  tales,
  unveiled,
};
