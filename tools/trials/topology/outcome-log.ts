/** The outcome of a request that failed. */
export interface FailedRequest {
  what: string;
  isWrite: boolean;
  status: number | null;
  /** Whether the answer had a message that says the failure is temporary. */
  isClear: boolean;
}

/**
 * Milliseconds without a failure or a hanging request after which the system counts as recovered.
 */
export const QUIET_MS = 1_500;

export interface LogPhase {
  name: string;
  asked: number;
  times: number[];
  failed: FailedRequest[];
}

const newPhase = (name: string): LogPhase => ({ name, asked: 0, times: [], failed: [] });

/** The outcomes of all requests, by phase. */
export class OutcomeLog {
  #now = newPhase("start");
  #lastFailureAt = -Infinity;
  readonly #clock: () => number;
  /** The requests that have no answer yet, by their start. */
  readonly #open = new Set<{ begun: number }>();

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  begin(name: string): LogPhase {
    this.#now = newPhase(name);
    return this.#now;
  }

  /** Starts a request. A failure counts for the phase in which it fails, not for that of its start. */
  ask(): (outcome: FailedRequest | null) => void {
    const phase = this.#now;
    const request = { begun: this.#clock() };
    this.#open.add(request);
    phase.asked += 1;
    return (failure) => {
      this.#open.delete(request);
      phase.times.push(this.#clock() - request.begun);
      if (failure) this.#now.failed.push(failure);
      if (failure || this.#hangs(request)) this.#lastFailureAt = this.#clock();
    };
  }

  /** Whether no request has failed for a while, and none hangs. */
  get isQuiet(): boolean {
    const isCalm = this.#clock() - this.#lastFailureAt >= QUIET_MS;
    return isCalm && ![...this.#open].some((request) => this.#hangs(request));
  }

  /** The time of the last failure, or of the last late answer. */
  get lastFailureAt(): number {
    return this.#lastFailureAt;
  }

  #hangs({ begun }: { begun: number }): boolean {
    return this.#clock() - begun >= QUIET_MS;
  }
}

export function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The kinds of failures with their counts, such as "GET page 503 ×3". */
export function summarizeFailures(failed: readonly FailedRequest[]): string {
  const kinds = Map.groupBy(
    failed,
    ({ what, status, isClear }) => `${what} ${status ?? "broken off"}${isClear ? "" : " (!)"}`,
  );
  return [...kinds].map(([kind, all]) => `${kind} ×${all.length}`).join(", ");
}
