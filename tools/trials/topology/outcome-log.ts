/** What came of one request: an answer below 500 that was wanted, or why not. */
export interface Outcome {
  what: string;
  isWrite: boolean;
  status: number | null;
  /** Whether a failed one said in words that it failed and that it will pass. */
  isClear: boolean;
}

/** So long nothing may fail or hang until all counts as well. */
export const QUIET = 1_500;

export interface Phase {
  name: string;
  asked: number;
  times: number[];
  failed: Outcome[];
}

const newPhase = (name: string): Phase => ({ name, asked: 0, times: [], failed: [] });

/** Every request of the load, by what happened meanwhile. */
export class OutcomeLog {
  #now = newPhase("start");
  #troubledAt = -Infinity;
  readonly #clock: () => number;
  /** When those that wait for their answer were asked. */
  readonly #open = new Set<{ begun: number }>();

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  begin(name: string): Phase {
    this.#now = newPhase(name);
    return this.#now;
  }

  /** A failure belongs to what happened when it failed, whenever it was asked for. */
  ask(): (outcome: Outcome | null) => void {
    const phase = this.#now;
    const request = { begun: this.#clock() };
    this.#open.add(request);
    phase.asked += 1;
    return (failure) => {
      this.#open.delete(request);
      phase.times.push(this.#clock() - request.begun);
      if (failure) this.#now.failed.push(failure);
      if (failure || this.#hangs(request)) this.#troubledAt = this.#clock();
    };
  }

  /** Whether nothing has failed for a while, and nothing hangs. */
  get isQuiet(): boolean {
    const isCalm = this.#clock() - this.#troubledAt >= QUIET;
    return isCalm && ![...this.#open].some((request) => this.#hangs(request));
  }

  /** When a request failed, or one that had hung was answered, for the last time. */
  get troubledAt(): number {
    return this.#troubledAt;
  }

  #hangs({ begun }: { begun: number }): boolean {
    return this.#clock() - begun >= QUIET;
  }
}

export function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The kinds of failures with their counts, as "GET page 503 ×3". */
export function kindsOf(failed: readonly Outcome[]): string {
  const kinds = Map.groupBy(
    failed,
    ({ what, status, isClear }) => `${what} ${status ?? "broken off"}${isClear ? "" : " (!)"}`,
  );
  return [...kinds].map(([kind, all]) => `${kind} ×${all.length}`).join(", ");
}
