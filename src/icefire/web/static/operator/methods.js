// What teams have told the audience about their methods, which the operator may take back.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { table } from "../common/table.js";

const COLUMNS = ["team", "methods.text", "actions"];

/** The methods that were told; nothing if there are none. */
export function methods({ board, names, act }) {
  if (!board.methods.length) {
    return null;
  }
  const rows = board.methods.map(({ team, method }) => {
    const key = `${team} ${method}`;
    const content = () => ({ team, method });
    const path = "/api/operator/methods/removal";
    return {
      key,
      cells: [names(team), method, act.button({ name: "remove", key, path, content })],
    };
  });
  return h(
    "section",
    { key: "methods", id: "methods" },
    h("h2", {}, say("methods")),
    table({ columns: COLUMNS, rows, caption: say("methods") }),
  );
}
