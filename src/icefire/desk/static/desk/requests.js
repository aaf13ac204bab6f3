// Requests that the pages of the arena have no need of.

import { Refused } from "../common/api.js";
import { language, say } from "../common/language.js";

export async function remove(path) {
  const headers = { "x-icefire": "1", "accept-language": language() };
  const answer = await fetch(path, { method: "DELETE", headers }).catch((error) => {
    throw new Refused(0, [say("unreachable")], { cause: error });
  });
  if (!answer.ok) {
    const content = await answer.json().catch(() => ({}));
    throw new Refused(answer.status, content.faults ?? [String(answer.status)]);
  }
}
