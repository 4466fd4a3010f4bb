import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { AppError } from "#lib/failure.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { directDatabaseUrl, isPublishedPasswordOffHere } from "#lib/env.ts";
import { can, type Role } from "#lib/auth/permissions.ts";
import { isSessionValidSql, lacksSecondFactorSql } from "#lib/auth/sessions/session.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { Hub, type LiveNotice } from "./hub.ts";
import { type LiveEvent, SESSION_OVER_EVENT, STREAM_PAUSED_EVENT } from "./queries.ts";

// On globalThis, so that a module reloaded in development listens only once.
const shared = globalThis as typeof globalThis & { duebookStreams?: LiveStreams };

/** Starts listening with the first stream. */
function sharedStreams(): LiveStreams {
  if (shared.duebookStreams) return shared.duebookStreams;
  const hub = new Hub(directDatabaseUrl());
  const streams = new LiveStreams(hub, database());
  // A server that shuts down waits for open responses, so the streams are closed.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      streams.close();
      void hub.close();
    });
  return (shared.duebookStreams = streams);
}

/** Open streams of this process. */
export const countStreams = (): number => shared.duebookStreams?.count ?? 0;

/** Proxies must not cache, compress or buffer the stream. */
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-store, no-transform",
  "x-accel-buffering": "no",
};

/** Server-sent events about this seller's records, until either side closes. */
export async function openLiveStream(scope: Scope, request: Request): Promise<Response> {
  const { owner, session } = await requireSeller(scope, "subscriptions:read");
  const { searchParams } = new URL(request.url);
  // A browser sends the header when it reconnects, a page the parameters when it opens a stream.
  const after = request.headers.get("last-event-id") ?? searchParams.get("after");
  const since = Date.parse(searchParams.get("since") ?? "");
  const stream = sharedStreams().open(
    { owner, user_id: session.user.id, session_id: session.id },
    {
      after: after !== null && /^\d{1,15}$/.test(after) ? Number(after) : null,
      since: Number.isNaN(since) ? null : since,
    },
  );
  if (!stream) throw new AppError({ kind: "rate_limited", retry_after: 60 });
  return new Response(stream, { headers: HEADERS });
}

interface StreamVisitor {
  owner: KeyOwner;
  user_id: string;
  /** The session's row id. */
  session_id: Buffer;
}

/** The position at which a stream starts. */
export interface StreamStart {
  /** The last message of the previous stream. */
  after: number | null;
  /** When the page was rendered, in milliseconds since 1970. */
  since: number | null;
}

/** Maximum streams per person and process; a browser needs one for all its tabs. */
export const STREAMS_PER_PERSON = 30;
/**
 * Milliseconds between heartbeats: proxies close connections that are silent for 30 seconds or more.
 */
const BEAT_MS = 20_000;
/** Maximum bytes queued for a slow browser; beyond that, the stream ends and the browser reconnects. */
const MOST_WAITING = 64 * 1_024;
const MOST_MISSED = MOST_WAITING / 2;
/** The number of successive failed session checks after which all streams end. */
const MOST_UNSURE = 2;
/** Milliseconds by which the clocks of two processes may differ. */
const SLACK_MS = 2_000;

const REFRESH: LiveEvent = { kind: "refresh", ids: null, event: null, noun: null };

interface Stream extends StreamVisitor {
  send: (text: string) => void;
  end: (why?: typeof SESSION_OVER_EVENT) => void;
}

/** The open streams of one process. */
export class LiveStreams {
  readonly #hub: Hub;
  readonly #db: Database;
  readonly #open = new Set<Stream>();
  readonly #timer: NodeJS.Timeout;
  #unsure = 0;
  #isClosed = false;

  constructor(hub: Hub, db: Database, every: number = BEAT_MS) {
    this.#hub = hub;
    this.#db = db;
    this.#timer = setInterval(() => void this.beat(), every).unref();
  }

  get count(): number {
    return this.#open.size;
  }

  /** @returns null if this person has too many streams */
  open(visitor: StreamVisitor, from: StreamStart): ReadableStream<Uint8Array> | null {
    const own = [...this.#open].filter(({ user_id }) => user_id === visitor.user_id);
    if (own.length >= STREAMS_PER_PERSON) return null;
    let close = () => {};
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          close = this.#begin(visitor, from, controller);
        },
        cancel: () => close(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: MOST_WAITING }),
    );
  }

  #begin(
    visitor: StreamVisitor,
    from: StreamStart,
    controller: ReadableStreamDefaultController<Uint8Array>,
  ): () => void {
    let isOpen = true;
    const leave = () => {
      if (!isOpen) return;
      isOpen = false;
      this.#open.delete(stream);
      stop();
    };
    const stream: Stream = {
      ...visitor,
      send: (text) => {
        if (!isOpen) return;
        controller.enqueue(encoder.encode(text));
        if ((controller.desiredSize ?? 0) <= 0) stream.end();
      },
      end: (why) => {
        if (!isOpen) return;
        if (why) controller.enqueue(encoder.encode(`event: ${why}\ndata: {}\n\n`));
        leave();
        controller.close();
      },
    };
    const stop = this.#hub.subscribe(visitor.owner, {
      tell: (told) => stream.send(messageOf(told)),
      hears: (isListening) => stream.send(isListening ? this.#refresh() : PAUSE),
    });
    this.#open.add(stream);
    // Random, so that thousands of browsers do not reconnect at once.
    stream.send(`retry: ${500 + Math.floor(Math.random() * 2_500)}\n\n`);
    for (const text of this.#welcome(visitor.owner, from)) stream.send(text);
    // The request came after shutdown began; the browser reconnects to another process.
    if (this.#isClosed) stream.end();
    return leave;
  }

  #welcome(owner: KeyOwner, { after, since }: StreamStart): string[] {
    if (!this.#hub.isListening) return [PAUSE];
    const missed =
      after !== null
        ? this.#hub.after(owner, after)
        : since !== null
          ? this.#hub.since(owner, since - SLACK_MS)
          : null;
    if (!missed) return [this.#refresh()];
    const texts = missed.map(messageOf);
    // A full refresh is cheaper than that many notices.
    if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_MISSED)
      return [this.#refresh()];
    // The position comes last, so that a stream that ends before it misses nothing.
    return [...texts, `id: ${this.#hub.last}\n: here\n\n`];
  }

  #refresh(): string {
    return messageOf({ number: this.#hub.last, event: REFRESH });
  }

  /** Keeps streams alive, and ends those whose session or permission has ended. */
  async beat(): Promise<void> {
    const open = [...this.#open];
    for (const stream of open) stream.send(": alive\n\n");
    if (open.length === 0) return;
    const allowed = await this.#allowed(open).catch(() => null);
    this.#unsure = allowed ? 0 : this.#unsure + 1;
    if (!allowed && this.#unsure < MOST_UNSURE) return;
    for (const stream of open)
      if (!allowed?.has(placeOf(stream))) stream.end(allowed ? SESSION_OVER_EVENT : undefined);
  }

  /** Valid sessions whose role may read subscriptions. */
  async #allowed(open: Stream[]): Promise<Set<string>> {
    const { rows } = await this.#db.query<{ place: string; role: Role }>(
      `select encode(s.id, 'hex') || ' ' || m.seller_id as place, m.role
         from session s join app_user u on u.id = s.user_id
         join membership m on m.user_id = u.id join seller on seller.id = m.seller_id
        where s.id = any($1)
          and ${isSessionValidSql({ session: "s", user: "u", now: "now()", isOff: "$2" })}
          and not (${lacksSecondFactorSql({ seller: "seller", member: "m" })})`,
      [open.map(({ session_id }) => session_id), isPublishedPasswordOffHere()],
    );
    const able = rows.filter(({ role }) => can(role, "subscriptions:read"));
    return new Set(able.map(({ place }) => place));
  }

  /** Ends all streams; browsers reconnect to another process. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const stream of this.#open) stream.end();
  }
}

const placeOf = ({ session_id, owner }: StreamVisitor) =>
  `${session_id.toString("hex")} ${owner.seller_id}`;

const encoder = new TextEncoder();
const PAUSE = `event: ${STREAM_PAUSED_EVENT}\ndata: {}\n\n`;

/** JSON has no line breaks, so each event is one data line. */
const messageOf = ({ number, event }: Pick<LiveNotice, "number" | "event">) =>
  `id: ${number}\ndata: ${JSON.stringify(event)}\n\n`;
