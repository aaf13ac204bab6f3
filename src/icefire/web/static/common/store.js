// What this browser remembers between visits. Private windows may forbid it; then nothing is
// remembered.

export function recall(key) {
  try {
    return globalThis.localStorage?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    globalThis.localStorage?.setItem(key, value);
  } catch {
    // Nothing depends on it.
  }
}
