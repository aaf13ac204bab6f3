// What screen readers hear of a fast story: one sentence every few seconds, not each of them.

const PAUSE = 8000;

/**
 * A function that takes in sentences, and returns the text to be read out at a moment: the newest
 * sentence with how many others there were since the last one.
 */
export function speaker(several, pause = PAUSE) {
  let waiting = [];
  let spoken = "";
  let next = 0;
  return function speak(sentences, now) {
    waiting.push(...sentences);
    if (waiting.length && now >= next) {
      const newest = waiting.at(-1);
      spoken = waiting.length > 1 ? several(newest, waiting.length - 1) : newest;
      waiting = [];
      next = now + pause;
    }
    return spoken;
  };
}
