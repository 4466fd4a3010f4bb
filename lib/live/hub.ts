import "server-only";
import * as z from "zod";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { listenTo, type Listener } from "#lib/db/listener.ts";
import type { LiveEvent } from "./queries.ts";

/** A notice as PostgreSQL hands it on: migration 0016, notify_live. */
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
  /** A place in the one order in which every process hears notices. */
  number: number;
  /** Milliseconds since 1970, when it was heard. */
  at: number;
  event: LiveEvent;
}

export interface Subscriber {
  tell: (told: LiveNotice) => void;
  /** False while the database cannot be listened to. */
  hears: (isListening: boolean) => void;
}

/** So many notices of all sellers are remembered, for streams that were cut. */
const MOST_REMEMBERED = 5_000;

const keyOf = ({ seller_id, mode }: KeyOwner) => `${seller_id}:${mode}`;

/** What one process hears, told to those whose it is. */
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

  /** The place that the next notice follows. */
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

  /** What was told after that notice; null when nobody here can say. */
  after(owner: KeyOwner, number: number): LiveNotice[] | null {
    const place = this.#remembered.findLastIndex((one) => one.number === number);
    if (place < 0 || !this.isListening) return null;
    return this.#of(owner, this.#remembered.slice(place + 1));
  }

  /** What was told since that moment; null when this process did not listen then. */
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

  #of(owner: KeyOwner, told: (LiveNotice & { key: string })[]): LiveNotice[] {
    const key = keyOf(owner);
    return told.filter((one) => one.key === key);
  }

  #begin() {
    this.#listensSince = Date.now();
    // What was told meanwhile was heard by nobody here.
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
    const told = { number, at: Date.now(), event, key: `${seller_id}:${mode}` };
    this.#remembered.push(told);
    if (this.#remembered.length > 2 * MOST_REMEMBERED)
      this.#remembered = this.#remembered.slice(-MOST_REMEMBERED);
    for (const one of this.#subscribers.get(told.key) ?? []) one.tell(told);
  }

  #all(): Subscriber[] {
    return [...this.#subscribers.values()].flatMap((set) => [...set]);
  }
}

/** Another version of the dashboard may tell of what this one does not know. */
function readNotice(payload: string) {
  try {
    return Notice.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}
