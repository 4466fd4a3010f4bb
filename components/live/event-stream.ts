import type { LiveConnectionState } from "#components/context/live-state.ts";
import type { Scope } from "#lib/scope.ts";
import { livePath, OVER, PAUSED, type LiveEvent } from "#lib/live/queries.ts";

interface SourceOptions {
  scope: Scope;
  since: string;
  /** The id of the last message that this browser received; null for none. */
  after: string | null;
  onLink: (link: LiveConnectionState) => void;
  /** @param id the position from which the next stream continues */
  onEvent: (event: LiveEvent, id: string | null) => void;
}

/** EventSource does not retry after a refusal. */
const AGAIN_AFTER = 20_000;
/** Failed attempts after which the page polls. */
const MOST_TRIES = 2;

/** Opens a stream that reconnects by itself. @returns closes it */
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
      // A message also ends a pause.
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
