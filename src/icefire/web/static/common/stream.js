// Server-sent events. The browser resumes at the last event it has seen.

const PAUSE = 1000;

/**
 * Listen to `url()`: `handlers` by the name of the event, `onState(open)` when the connection opens
 * or breaks.
 * A stream that the browser has given up on is opened again.
 */
export function listen(url, handlers, onState) {
  const source = new EventSource(url());
  for (const [name, handle] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  }
  source.onopen = () => onState(true);
  source.onerror = () => {
    onState(false);
    if (source.readyState === EventSource.CLOSED) {
      setTimeout(() => listen(url, handlers, onState), PAUSE);
    }
  };
}
