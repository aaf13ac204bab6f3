// One line across the page about the state of the contest or of the connection.

import { update } from "./dom.js";
import { say } from "./language.js";

/** The most important thing to say, or null: lost, unveiling, paused, frozen or final. */
export function bannerOf(board, lost) {
  if (lost) {
    return "lost";
  }
  const { defenders = [], attackers = [] } = board?.ceremony ?? {};
  if (defenders.length + attackers.length) {
    return "unveiling";
  }
  return ["paused", "frozen", "final"].find((state) => board?.[state]) ?? null;
}

export function drawBanner(board, lost) {
  const state = bannerOf(board, lost);
  const banner = document.getElementById("banner");
  banner.hidden = state === null;
  banner.className = state ?? "";
  update(banner, [state && say(`banner.${state}`)]);
}
