// Names as large as they fit.

import { h } from "../common/dom.js";
import { widthOf } from "../common/names.js";

const [MEDIUM, LONG] = [13, 24];

/** A name that fills the stage. */
export function title(name, colour) {
  return h("p", { class: `huge ${colour} ${sizeOfName(name)}` }, name);
}

/** A class for names that need smaller letters. */
export function sizeOfName(name) {
  const width = widthOf(name);
  if (width > LONG) {
    return "long";
  }
  return width > MEDIUM ? "medium" : "";
}
