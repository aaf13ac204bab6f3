// The countdown, by the server's clock.

let ahead = 0;

/** Take the server's time from the Date header of an answer: clocks of viewers differ. */
export function synchronize(date) {
  const moment = Date.parse(date);
  if (!Number.isNaN(moment)) {
    ahead = Date.now() - moment;
  }
}

/** Milliseconds since 1970 by the server's clock. */
export function now() {
  return Date.now() - ahead;
}

/**
 * The state of a contest (defence, attack, before, between, over, ceremony or final) and the moment
 * at which it changes, or null.
 */
export function progress({ phase, schedule, final, ceremony }, moment) {
  if (final) {
    return { state: "final", until: null };
  }
  const open = schedule.find(
    (entry) => entry.round === phase?.round && entry.phase === phase?.name,
  );
  if (open) {
    return { state: open.phase, until: Date.parse(open.closes) };
  }
  if (ceremony && ceremony.defenders.length + ceremony.attackers.length) {
    return { state: "ceremony", until: null };
  }
  const later = schedule.map((entry) => Date.parse(entry.opens)).filter((opens) => opens > moment);
  if (later.length) {
    return { state: "before", until: Math.min(...later) };
  }
  const over = schedule.every((entry) => Date.parse(entry.closes) <= moment);
  return { state: over ? "over" : "between", until: null };
}

/** Time left as whole days and a text: 65 s are "01:05", an hour more is "1:01:05". */
export function timeLeft(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  return { days, text: (hours || days ? [hours, ...parts] : parts).join(":") };
}
