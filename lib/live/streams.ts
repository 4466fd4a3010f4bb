import "server-only";
import { can, type Role } from "#lib/auth/permissions.ts";
import { lacksSecondFactor } from "#lib/auth/sessions/second-factor-demand.ts";
import { isSessionValidSql } from "#lib/auth/sessions/session.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { isPublishedOffHere } from "#lib/env.ts";
import type { Hub, LiveNotice } from "./hub.ts";
import { OVER, PAUSED, type LiveEvent } from "./queries.ts";

export interface Visitor {
  owner: KeyOwner;
  user_id: string;
  /** The row of the session, as findSession gives it. */
  session_id: Buffer;
}

/** From where a stream goes on. */
export interface From {
  /** The last message of the stream before. */
  after: number | null;
  /** Milliseconds since 1970: when what the page shows was read. */
  since: number | null;
}

/** Of one person in one process; a browser needs one for all its tabs. */
export const MOST_OF_A_PERSON = 30;
/** Proxies cut what is silent for half a minute or more. */
export const BEAT_MS = 20_000;
/** Bytes that wait for a browser which does not read; then it is let go, and comes again. */
const MOST_WAITING = 64 * 1_024;
/** Of it, what a stream that comes back is told of what it missed. */
const MOST_MISSED = MOST_WAITING / 2;
/** Without an answer about the sessions for so many beats, nobody is told anything. */
const MOST_UNSURE = 2;
/** Pages are rendered by other processes, whose clocks are not quite this one's. */
const SLACK_MS = 2_000;

const REFRESH: LiveEvent = { kind: "refresh", ids: null, event: null, noun: null };

interface Stream extends Visitor {
  send: (text: string) => void;
  end: (why?: typeof OVER) => void;
}

/** The open streams of one process. */
export class Streams {
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

  /** @returns null when this person has too many */
  open(visitor: Visitor, from: From): ReadableStream<Uint8Array> | null {
    const own = [...this.#open].filter(({ user_id }) => user_id === visitor.user_id);
    if (own.length >= MOST_OF_A_PERSON) return null;
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
    visitor: Visitor,
    from: From,
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
    // Not all at once when a process goes away with thousands of them.
    stream.send(`retry: ${500 + Math.floor(Math.random() * 2_500)}\n\n`);
    for (const text of this.#welcome(visitor.owner, from)) stream.send(text);
    // It came by a connection that a proxy had kept: the next one leads to another process.
    if (this.#isClosed) stream.end();
    return leave;
  }

  #welcome(owner: KeyOwner, { after, since }: From): string[] {
    if (!this.#hub.isListening) return [PAUSE];
    const missed =
      after !== null
        ? this.#hub.after(owner, after)
        : since !== null
          ? this.#hub.since(owner, since - SLACK_MS)
          : null;
    if (!missed) return [this.#refresh()];
    const texts = missed.map(messageOf);
    // More than a browser may leave unread: one look at everything is less.
    if (texts.reduce((sum, text) => sum + text.length, 0) > MOST_MISSED)
      return [this.#refresh()];
    // The place comes last: a stream that is cut before it goes on with what it did not hear.
    return [...texts, `id: ${this.#hub.last}\n: here\n\n`];
  }

  #refresh(): string {
    return messageOf({ number: this.#hub.last, event: REFRESH });
  }

  /** Keeps the streams open, and ends those of whoever may not see this any more. */
  async beat(): Promise<void> {
    const open = [...this.#open];
    for (const stream of open) stream.send(": still here\n\n");
    if (open.length === 0) return;
    const allowed = await this.#allowed(open).catch(() => null);
    this.#unsure = allowed ? 0 : this.#unsure + 1;
    if (!allowed && this.#unsure < MOST_UNSURE) return;
    for (const stream of open)
      if (!allowed?.has(placeOf(stream))) stream.end(allowed ? OVER : undefined);
  }

  /** One question for all: the sessions that still are, with a role that may see subscriptions. */
  async #allowed(open: Stream[]): Promise<Set<string>> {
    const { rows } = await this.#db.query<{ place: string; role: Role }>(
      `select encode(s.id, 'hex') || ' ' || m.seller_id as place, m.role
         from session s join app_user u on u.id = s.user_id
         join membership m on m.user_id = u.id join seller on seller.id = m.seller_id
        where s.id = any($1)
          and ${isSessionValidSql({ session: "s", user: "u", now: "now()", isOff: "$2" })}
          and not (${lacksSecondFactor({ seller: "seller", member: "m" })})`,
      [open.map(({ session_id }) => session_id), isPublishedOffHere()],
    );
    const able = rows.filter(({ role }) => can(role, "subscriptions:read"));
    return new Set(able.map(({ place }) => place));
  }

  /** Ends all: browsers come again, to another process. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const stream of this.#open) stream.end();
  }
}

const placeOf = ({ session_id, owner }: Visitor) =>
  `${session_id.toString("hex")} ${owner.seller_id}`;

const encoder = new TextEncoder();
const PAUSE = `event: ${PAUSED}\ndata: {}\n\n`;

/** One line each: JSON has no line ends of its own. */
const messageOf = ({ number, event }: Pick<LiveNotice, "number" | "event">) =>
  `id: ${number}\ndata: ${JSON.stringify(event)}\n\n`;
