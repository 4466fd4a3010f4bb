/** A buyer's wish to subscribe; `id` is null while nobody knows what became of it. */
export interface Order {
  phone: string;
  /** The period and the name that were sent. */
  wish: string;
  plan: string;
  id: string | null;
}

export interface Tally {
  acknowledged: number;
  unknown: number;
}

/** What a seller and its buyers were told, to be held against what is stored. */
export class Ledger {
  /** In the order in which they were sent. */
  readonly orders: Order[] = [];
  /** By subscription and event, as `<id> cancel`; a reschedule names its date too. */
  readonly changes = new Map<string, Tally>();
  /** Attempts whose buyers saw the receipt. */
  readonly receipts = new Set<string>();
  /** How far the seller's clock is at least, in milliseconds. */
  clock = 0;
  acknowledged = 0;
  unknown = 0;
  /** Broken connections whose request was sent again with its Idempotency-Key. */
  repeated = 0;

  count(change: string, outcome: keyof Tally) {
    const tally = this.changes.get(change) ?? { acknowledged: 0, unknown: 0 };
    tally[outcome] += 1;
    this.changes.set(change, tally);
  }
}
