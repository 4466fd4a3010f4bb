import type { QueryClient } from "@tanstack/react-query";
import {
  clearLive,
  type LiveConnectionState,
  setLive,
} from "#components/context/live-state.ts";
import { type Scope, scopePath } from "#lib/scope.ts";
import {
  type LiveEvent,
  livePath,
  SESSION_OVER_EVENT,
  STREAM_PAUSED_EVENT,
} from "#lib/live/queries.ts";
import { setLiveUpdates } from "#lib/query/client.ts";
import { createRefresher } from "./query-refresher.ts";

interface LinkOptions {
  client: QueryClient;
  scope: Scope;
  /** The signed-in person; another person in the same browser has another stream. */
  person: string;
  since: string;
  /** Called for each delivery, in one tab of the browser only. */
  note: (event: string | null) => void;
}

/** Messages between the tabs of one browser. */
type Word =
  { link: LiveConnectionState } | { event: LiveEvent; id: string | null } | { ask: true };

/** Milliseconds between polls while there is no stream. */
const POLL_MS = 15_000;
/** Milliseconds after which a visible tab asks whether the leading tab still runs. */
const ASK_MS = 20_000;
/** Unanswered pings before a tab takes the lead; browsers suspend background tabs. */
const MOST_UNANSWERED = 2;
const LOOK_AGAIN: LiveEvent = { kind: "refresh", ids: null, event: null, noun: null };

/**
 * Opens one stream per browser: the leading tab has it and forwards events to the others. Over HTTP/1.1
 * a browser has six connections to one host, and six streams would use them all.
 */
export function startLiveConnection({
  client,
  scope,
  person,
  since,
  note: noteEvent,
}: LinkOptions): () => void {
  const name = `duebook live ${person} ${scopePath(scope)}`;
  const follower = createRefresher(client, scope);
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(name) : null;
  const ending = new AbortController();
  let link: LiveConnectionState = "off";
  let isLeader = false;
  let last: string | null = null;
  let unanswered = 0;
  let poll: ReturnType<typeof setInterval> | undefined;

  const say = (word: Word) => channel?.postMessage(word);
  const note = (next: LiveConnectionState) => {
    if (next === link) return;
    link = next;
    setLive({ link });
    setLiveUpdates(link === "live");
    clearInterval(poll);
    if (link !== "live")
      poll = setInterval(() => {
        if (document.visibilityState === "visible") follower.follow(LOOK_AGAIN);
      }, POLL_MS);
  };
  channel?.addEventListener("message", ({ data }: MessageEvent<Word>) => {
    if ("ask" in data) {
      if (isLeader) say({ link });
      return;
    }
    unanswered = 0;
    if ("event" in data) {
      last = data.id;
      follower.follow(data.event);
    } else note(data.link);
  });

  let close = () => {};
  const lead = () => {
    isLeader = true;
    close = openEventStream({
      scope,
      since,
      after: last,
      onLink: (next) => {
        note(next);
        say({ link: next });
      },
      onEvent: (event, id) => {
        last = id;
        follower.follow(event);
        if (event.kind === "delivery") noteEvent(event.event);
        say({ event, id });
      },
    });
  };
  const leave = () => {
    isLeader = false;
    close();
  };
  // Browsers offer locks in secure contexts only; otherwise each tab opens its own stream.
  const locks = channel ? (navigator.locks as LockManager | undefined) : undefined;
  const ask = (steal: () => void) => {
    if (isLeader || document.visibilityState !== "visible") return;
    if (unanswered >= MOST_UNANSWERED) {
      unanswered = 0;
      steal();
    } else {
      unanswered += 1;
      say({ ask: true });
    }
  };
  let asking: ReturnType<typeof setInterval> | undefined;
  if (locks) {
    const steal = electLeader({ locks, name, signal: ending.signal, lead, leave });
    asking = setInterval(() => ask(steal), ASK_MS);
  } else lead();
  say({ ask: true });

  return () => {
    ending.abort();
    close();
    clearInterval(asking);
    clearInterval(poll);
    channel?.close();
    follower.stop();
    setLiveUpdates(false);
    clearLive();
  };
}

interface SourceOptions {
  scope: Scope;
  since: string;
  /** The id of the last message that this browser received; null for none. */
  after: string | null;
  onLink: (link: LiveConnectionState) => void;
  /** @param id the position from which the next stream continues */
  onEvent: (event: LiveEvent, id: string | null) => void;
}

/** Milliseconds until a new attempt; EventSource itself does not retry after a refusal. */
const AGAIN_AFTER = 20_000;
/** The number of failed attempts that count as reconnecting; the next one counts as polling. */
const MOST_TRIES = 2;

/** Opens a stream that reconnects by itself. @returns a function that closes it */
function openEventStream({ scope, since, after, onLink, onEvent }: SourceOptions): () => void {
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
      // A message shows that a paused stream goes on.
      onLink("live");
      onEvent(JSON.parse(data) as LiveEvent, last);
    });
    source.addEventListener(STREAM_PAUSED_EVENT, () => onLink("polling"));
    source.addEventListener(SESSION_OVER_EVENT, () => again());
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

interface Leading {
  locks: LockManager;
  name: string;
  /** Aborted when this tab stops. */
  signal: AbortSignal;
  lead: () => void;
  leave: () => void;
}

/**
 * One tab leads at a time: the one that holds the lock. The others wait for it.
 * @returns a function that takes the lock from a leader that is asleep
 */
export function electLeader({ locks, name, signal, lead, leave }: Leading): () => void {
  const hold = () => {
    // The lock may be granted after the abort.
    if (signal.aborted) return undefined;
    lead();
    return new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
  };
  const queue = (): void => {
    locks.request(name, { signal }, hold).catch((error: unknown) => {
      leave();
      if (signal.aborted) return;
      // Another tab took the lock while this one slept: wait again.
      if (isTakenAway(error)) queue();
      // A browser that refuses locks would refuse again: lead without a lock.
      else lead();
    });
  };
  queue();
  return () => void locks.request(name, { steal: true }, hold).catch(leave);
}

const isTakenAway = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";
