// The key to the data. It comes behind the address, and stays in the storage of this origin, which
// servers on other ports of the machine cannot read.

import { added } from "../common/api.js";
import { recall, remember } from "../common/store.js";

const KEY = "icefire.desk.key";
const given = new URLSearchParams(location.hash.slice(1)).get("key");

if (given) {
  remember(KEY, given);
  history.replaceState(null, "", location.pathname + location.search);
}
added["x-icefire-key"] = given ?? recall(KEY) ?? "";
