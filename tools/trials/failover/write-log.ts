/** The acknowledged writes of one kind, and the longest time without one. */
export class WriteLog {
  /** What was written, and by which answer. */
  readonly acknowledged = new Map<string, string>();
  #lastAt = 0;
  #longest = 0;
  readonly #clock: () => number;

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** @param how the answer, for the report of a lost write */
  acknowledge(written: string, how: string): void {
    this.acknowledged.set(written, how);
    this.#longest = this.longestGap;
    this.#lastAt = this.#clock();
  }

  /** Starts a round: earlier gaps no longer count. */
  begin(): void {
    this.#longest = 0;
    this.#lastAt = this.#clock();
  }

  /** The longest time of this round without an acknowledged write, in milliseconds. */
  get longestGap(): number {
    return Math.max(this.#longest, this.#clock() - this.#lastAt);
  }
}

/**
 * Compares one kind of write with what is stored.
 * @param found how often each is stored
 * @returns the answers of acknowledged ones that are missing, and the number of any stored twice
 */
export function compareWrites(
  acknowledged: ReadonlyMap<string, string>,
  found: ReadonlyMap<string, number>,
) {
  return {
    lost: [...acknowledged].filter(([written]) => !found.has(written)).map(([, how]) => how),
    doubled: [...found.values()].filter((times) => times > 1).length,
  };
}
