/** How a write was answered, with the times in milliseconds at which it was first sent and answered. */
export interface Acknowledgement {
  how: string;
  sentAt: number;
  answeredAt: number;
}

/** The acknowledged writes of one kind, and the longest time without one. */
export class WriteLog {
  readonly acknowledged = new Map<string, Acknowledgement>();
  /** The milliseconds that each write of this round took. */
  times: number[] = [];
  #lastAt = 0;
  #longest = 0;
  readonly #clock: () => number;

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  acknowledge(written: string, acknowledgement: Acknowledgement): void {
    this.acknowledged.set(written, acknowledgement);
    this.times.push(acknowledgement.answeredAt - acknowledgement.sentAt);
    this.#longest = this.longestGap;
    this.#lastAt = this.#clock();
  }

  /** Starts a round: earlier gaps no longer count. */
  begin(): void {
    this.times = [];
    this.#longest = 0;
    this.#lastAt = this.#clock();
  }

  /** Forgets what was acknowledged after the moment. */
  forgetAfter(moment: number): void {
    for (const [written, { answeredAt }] of this.acknowledged)
      if (answeredAt > moment) this.acknowledged.delete(written);
  }

  /** The longest time of this round without an acknowledged write, in milliseconds. */
  get longestGap(): number {
    return Math.max(this.#longest, this.#clock() - this.#lastAt);
  }
}

/**
 * Compares one kind of write with what is stored.
 * @param found how often each is stored
 * @param moment the time to which the database was restored; without it nothing is too late
 * @returns the answers to acknowledged writes that are missing, and the numbers of writes that are stored
 *   twice, or stored although they were sent after the moment
 */
export function compareWrites(
  acknowledged: ReadonlyMap<string, Acknowledgement>,
  found: ReadonlyMap<string, number>,
  moment = Infinity,
) {
  const all = [...acknowledged];
  return {
    lost: all
      .filter(([written, { answeredAt }]) => answeredAt <= moment && !found.has(written))
      .map(([, { how, answeredAt }]) => `${how} at ${new Date(answeredAt).toISOString()}`),
    doubled: [...found.values()].filter((times) => times > 1).length,
    late: all.filter(([written, { sentAt }]) => sentAt > moment && found.has(written)).length,
  };
}
