import type { Link } from "#components/layout/live-state.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { livePath, OVER, PAUSED, type LiveEvent } from "#lib/live/queries.ts";

interface SourceOptions {
  scope: Scope;
  since: string;
  onLink: (link: Link) => void;
  onEvent: (event: LiveEvent) => void;
}

/** After a refusal a browser does not try again by itself. */
const AGAIN_AFTER = 20_000;
/** So many tries without an answer are more than a moment. */
const MOST_TRIES = 2;

/** A stream that comes back by itself. @returns what ends it */
export function openSource({ scope, since, onLink, onEvent }: SourceOptions): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  let isOver = false;

  const open = () => {
    source = new EventSource(livePath(scope, since));
    source.addEventListener("open", () => {
      tries = 0;
      onLink("live");
    });
    source.addEventListener("message", ({ data }: MessageEvent<string>) => {
      // It hears again after a pause.
      onLink("live");
      onEvent(JSON.parse(data) as LiveEvent);
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
