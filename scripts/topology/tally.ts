/** What came of one request: an answer below 500 that was wanted, or why not. */
export interface Outcome {
  what: string;
  isWrite: boolean;
  status: number | null;
  /** Whether a failed one said in words that it failed and that it will pass. */
  isClear: boolean;
}

interface Phase {
  name: string;
  asked: number;
  times: number[];
  failed: Outcome[];
}

const newPhase = (name: string): Phase => ({ name, asked: 0, times: [], failed: [] });

/** Every request of the load, by what happened meanwhile. */
export class Tally {
  #now = newPhase("start");
  #lastFailure = 0;

  begin(name: string): Phase {
    this.#now = newPhase(name);
    return this.#now;
  }

  /** A failure belongs to what happened when it failed, whenever it was asked for. */
  ask(): (outcome: Outcome | null) => void {
    const phase = this.#now;
    const begun = performance.now();
    phase.asked += 1;
    return (failure) => {
      phase.times.push(performance.now() - begun);
      if (!failure) return;
      this.#now.failed.push(failure);
      this.#lastFailure = performance.now();
    };
  }

  /** Milliseconds since a request failed for the last time. */
  get quietFor(): number {
    return performance.now() - this.#lastFailure;
  }
}

export function percentile(times: number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The kinds of failures with their counts, as "GET page 503 ×3". */
export function kindsOf(failed: Outcome[]): string {
  const kinds = Map.groupBy(
    failed,
    ({ what, status, isClear }) => `${what} ${status ?? "broken off"}${isClear ? "" : " (!)"}`,
  );
  return [...kinds].map(([kind, all]) => `${kind} ×${all.length}`).join(", ");
}
