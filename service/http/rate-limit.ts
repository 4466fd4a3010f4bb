const MINUTE = 60_000;
const MOST_NAMES = 20_000;

/**
 * So many a minute for each name, all of them at once if need be: a full bucket that refills evenly
 * (the generic cell rate algorithm, one number a name). Kept in this process: ADR 0032.
 */
export class RateLimit {
  private readonly interval: number;
  private readonly now: () => number;
  /** For each name the moment at which its bucket is full again. */
  private readonly fullAt = new Map<string, number>();

  /** @param perMinute 0 for no limit */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.interval = perMinute > 0 ? MINUTE / perMinute : 0;
    this.now = now;
  }

  /** Whole seconds until the next one is free; 0 when one is free now. Counts nothing. */
  waitOf(name: string): number {
    const full = this.fullAt.get(name);
    if (full === undefined) return 0;
    const wait = full + this.interval - this.now() - MINUTE;
    return wait > 0 ? Math.ceil(wait / 1_000) : 0;
  }

  count(name: string): void {
    if (this.interval === 0) return;
    const now = this.now();
    const full = Math.max(now, this.fullAt.get(name) ?? 0) + this.interval;
    this.fullAt.set(name, full);
    if (this.fullAt.size > MOST_NAMES) this.forget(now);
  }

  /** Drops the names whose buckets are full, and if all are in use, the half seen first. */
  private forget(now: number) {
    for (const [name, full] of this.fullAt) if (full <= now) this.fullAt.delete(name);
    if (this.fullAt.size <= MOST_NAMES) return;
    const oldest = [...this.fullAt.keys()].slice(0, MOST_NAMES / 2);
    for (const name of oldest) this.fullAt.delete(name);
  }
}
