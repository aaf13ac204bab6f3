// Jobs that have failed: try again, or give up.

import { h } from "../common/dom.js";
import { say } from "../common/language.js";
import { tableOrNothing } from "../common/table.js";

const COLUMNS = ["alarm.reference", "alarm.message", "alarm.job", "actions"];

export function alarms({ board, act }) {
  const rows = board.alarms.filter(({ resolved }) => !resolved).map((alarm) => row(alarm, act));
  const content = tableOrNothing({ columns: COLUMNS, rows, caption: say("alarms") });
  return h("div", { key: "alarms", id: "alarms" }, h("h2", {}, say("alarms")), content);
}

function row({ reference, message, job }, act) {
  const path = `/api/operator/alarms/${reference}`;
  const buttons = [
    act.button({ name: "retry", path }),
    act.button({ name: "dismiss", path: `${path}/dismissal`, final: true }),
  ];
  return {
    key: reference,
    cells: [h("code", {}, reference), message, h("code", {}, job), group(buttons)],
  };
}

function group(buttons) {
  return h("div", { class: "buttons" }, buttons);
}
