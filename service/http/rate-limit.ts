const MINUTE = 60_000;
const MOST_NAMES = 20_000;

/**
 * Limits requests per minute for each name, with bursts: a full bucket that refills evenly
 * (generic cell rate algorithm, one number per name). In-process; see ADR 0032.
 */
export class RateLimit {
  private readonly interval: number;
  private readonly now: () => number;
  private readonly fullAt = new Map<string, number>();

  /** @param perMinute 0 for no limit */
  constructor(perMinute: number, now: () => number = () => performance.now()) {
    this.interval = perMinute > 0 ? MINUTE / perMinute : 0;
    this.now = now;
  }

  /**
   * Whole seconds until the next request is allowed; 0 if one is allowed now. Does not count as a
   * request.
   */
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

  /** Removes names with full buckets; if none are full, the older half. */
  private forget(now: number) {
    for (const [name, full] of this.fullAt) if (full <= now) this.fullAt.delete(name);
    if (this.fullAt.size <= MOST_NAMES) return;
    const oldest = [...this.fullAt.keys()].slice(0, MOST_NAMES / 2);
    for (const name of oldest) this.fullAt.delete(name);
  }
}
