/** A requested subscription; `id` is null while the result is unknown. */
export interface OrderRecord {
  phone: string;
  /** The billing period and the name that were sent. */
  wish: string;
  plan: string;
  id: string | null;
}

export interface OutcomeCounts {
  acknowledged: number;
  unknown: number;
}

/** The answers to a seller and its buyers, to be compared with the stored data. */
export class Ledger {
  readonly orders: OrderRecord[] = [];
  /** The changes by subscription and event, as `<id> cancel`; a reschedule names its date too. */
  readonly changes = new Map<string, OutcomeCounts>();
  readonly receipts = new Set<string>();
  /** The latest time to which the seller's clock was moved, in epoch milliseconds; 0 for none. */
  clock = 0;
  acknowledged = 0;
  unknown = 0;
  /** Number of requests repeated with their Idempotency-Key after a broken connection. */
  repeated = 0;

  count(change: string, outcome: keyof OutcomeCounts) {
    const tally = this.changes.get(change) ?? { acknowledged: 0, unknown: 0 };
    tally[outcome] += 1;
    this.changes.set(change, tally);
  }
}
