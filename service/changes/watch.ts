import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../db/database.ts";
import type { Cursor } from "./cursor.ts";
import { findNews } from "./store.ts";

/** Milliseconds between two queries; one query serves all requests that wait. */
const LOOK_EVERY = 150;
const MOST_WAITING = 500;
const MOST_WAITING_OF_SELLER = 10;

interface Waiting {
  place: Cursor;
  wake: () => void;
}

/** Lets requests wait for the next change. */
export class ChangeWatch {
  readonly #database: Database;
  readonly #waiting = new Set<Waiting>();
  #isLooking = false;
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Resolves when something changed after the cursor, after that many milliseconds, when the caller
   * leaves, and at once if too many wait.
   */
  async wait(place: Cursor, milliseconds: number, signal: AbortSignal): Promise<void> {
    const own = [...this.#waiting].filter((one) => one.place.sellerId === place.sellerId);
    if (this.#isClosed || signal.aborted || own.length >= MOST_WAITING_OF_SELLER) return;
    if (this.#waiting.size >= MOST_WAITING) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(one);
        resolve();
      };
      const one = { place, wake };
      const timer = setTimeout(wake, milliseconds);
      signal.addEventListener("abort", wake);
      this.#waiting.add(one);
      if (!this.#isLooking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      await delay(LOOK_EVERY);
      const waiting = [...this.#waiting];
      const places = waiting.map(({ place }) => place);
      // If the database is unavailable, each waiting request asks itself and answers with the
      // error.
      const found = await findNews(this.#database, places).catch(() => places.keys());
      for (const at of found) waiting[at]?.wake();
    }
    this.#isLooking = false;
  }

  /** Answers all waiting requests, and lets no more wait. */
  close(): void {
    this.#isClosed = true;
    for (const { wake } of this.#waiting) wake();
  }
}
