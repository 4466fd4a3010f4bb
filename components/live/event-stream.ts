import type { ConnectionState } from "#components/context/live-state.ts";
import type { Scope } from "#lib/scope.ts";
import { livePath, OVER, PAUSED, type LiveEvent } from "#lib/live/queries.ts";

interface SourceOptions {
  scope: Scope;
  since: string;
  /** The last message that this browser heard; null for none. */
  after: string | null;
  onLink: (link: ConnectionState) => void;
  /** @param id names its place, for the stream that follows this one */
  onEvent: (event: LiveEvent, id: string | null) => void;
}

/** After a refusal a browser does not try again by itself. */
const AGAIN_AFTER = 20_000;
/** So many tries without an answer are more than a moment. */
const MOST_TRIES = 2;

/** A stream that comes back by itself. @returns what ends it */
export function openEventStream({
  scope,
  since,
  after,
  onLink,
  onEvent,
}: SourceOptions): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let last = after;
  let isOver = false;

  const open = () => {
    source = new EventSource(livePath(scope, since, last));
    source.addEventListener("open", () => {
      tries = 0;
      onLink("live");
    });
    source.addEventListener("message", ({ data, lastEventId }: MessageEvent<string>) => {
      last = lastEventId || last;
      // It hears again after a pause.
      onLink("live");
      onEvent(JSON.parse(data) as LiveEvent, last);
    });
    source.addEventListener(PAUSED, () => onLink("polling"));
    source.addEventListener(OVER, () => again());
    source.addEventListener("error", () => {
      tries += 1;
      onLink(tries > MOST_TRIES ? "polling" : "reconnecting");
      if (source?.readyState === EventSource.CLOSED) again();
    });
  };
  const again = () => {
    source?.close();
    onLink("polling");
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(open, AGAIN_AFTER);
  };
  open();
  return () => {
    isOver = true;
    clearTimeout(timer);
    source?.close();
  };
}
