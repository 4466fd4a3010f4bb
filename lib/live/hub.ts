import "server-only";
import * as z from "zod";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { listenTo, type Listener } from "#lib/db/listener.ts";
import type { LiveEvent } from "./queries.ts";

/** The payload of PostgreSQL's notify_live (migration 0016). */
const Notice = z.object({
  number: z.int(),
  seller_id: z.string(),
  mode: z.string(),
  kind: z.enum(["delivery", "change", "write", "collection", "proofs", "notifications"]),
  ids: z.array(z.string()).nullable(),
  event: z.string().nullable().default(null),
  noun: z.string().nullable().default(null),
});

export interface LiveNotice {
  /** Every process receives notices in the same order. */
  number: number;
  /** When the notice was received, in milliseconds since 1970. */
  at: number;
  event: LiveEvent;
}

interface Subscriber {
  tell: (told: LiveNotice) => void;
  /** Called with false when the database connection is lost, and with true when it is back. */
  hears: (isListening: boolean) => void;
}

/** Recent notices of all sellers, for streams that reconnect. */
const MOST_REMEMBERED = 5_000;

const keyOf = ({ seller_id, mode }: KeyOwner) => `${seller_id}:${mode}`;

/** Distributes the notices that this process receives to the streams of their seller. */
export class Hub {
  readonly #listener: Listener;
  readonly #subscribers = new Map<string, Set<Subscriber>>();
  #remembered: (LiveNotice & { key: string })[] = [];
  #listensSince: number | null = null;

  constructor(databaseUrl: string) {
    this.#listener = listenTo(databaseUrl, "live", {
      onConnect: () => this.#begin(),
      onLost: () => this.#lose(),
      onNotice: (payload) => this.#hear(payload),
    });
  }

  get isListening(): boolean {
    return this.#listensSince !== null;
  }

  /** The number of the last notice. */
  get last(): number {
    return this.#remembered.at(-1)?.number ?? 0;
  }

  subscribe(owner: KeyOwner, subscriber: Subscriber): () => void {
    const key = keyOf(owner);
    const known = this.#subscribers.get(key) ?? new Set();
    this.#subscribers.set(key, known.add(subscriber));
    return () => {
      known.delete(subscriber);
      if (known.size === 0 && this.#subscribers.get(key) === known)
        this.#subscribers.delete(key);
    };
  }

  /** The notices after this number; null if this process does not know it or is not listening. */
  after(owner: KeyOwner, number: number): LiveNotice[] | null {
    const place = this.#remembered.findLastIndex((one) => one.number === number);
    if (place < 0 || !this.isListening) return null;
    return this.#of(owner, this.#remembered.slice(place + 1));
  }

  /** The notices since this time; null if this process was not listening then, or has forgotten some. */
  since(owner: KeyOwner, moment: number): LiveNotice[] | null {
    if (this.#listensSince === null || this.#listensSince > moment) return null;
    const [oldest] = this.#remembered;
    const isForgotten =
      this.#remembered.length >= MOST_REMEMBERED && oldest && oldest.at > moment;
    if (isForgotten) return null;
    return this.#of(
      owner,
      this.#remembered.filter(({ at }) => at >= moment),
    );
  }

  close(): Promise<void> {
    return this.#listener.close();
  }

  #of(owner: KeyOwner, notices: (LiveNotice & { key: string })[]): LiveNotice[] {
    const key = keyOf(owner);
    return notices.filter((one) => one.key === key);
  }

  #begin() {
    this.#listensSince = Date.now();
    // Notices were missed while the connection was lost, so the remembered ones are incomplete.
    this.#remembered = [];
    for (const one of this.#all()) one.hears(true);
  }

  #lose() {
    this.#listensSince = null;
    for (const one of this.#all()) one.hears(false);
  }

  #hear(payload: string) {
    const notice = readNotice(payload);
    if (!notice) return;
    const { number, seller_id, mode, ...event } = notice;
    const key = `${seller_id}:${mode}`;
    const told = { number, at: Date.now(), event, key };
    this.#remembered.push(told);
    if (this.#remembered.length > 2 * MOST_REMEMBERED)
      this.#remembered = this.#remembered.slice(-MOST_REMEMBERED);
    for (const one of this.#subscribers.get(key) ?? []) one.tell(told);
  }

  #all(): Subscriber[] {
    return [...this.#subscribers.values()].flatMap((set) => [...set]);
  }
}

/**
 * Parses a notice; undefined for an unknown one, which another version of the dashboard may send.
 */
function readNotice(payload: string) {
  try {
    return Notice.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
