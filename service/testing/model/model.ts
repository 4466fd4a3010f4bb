import {
  dayOf,
  monthDayOf,
  noonOf,
  startOfDayNumber,
  addInterval,
  type DayNumber,
  type Interval,
} from "./calendar.ts";

export interface ModelPeriod {
  name: string;
  plan: string;
  /** The billing interval; null for a one-time purchase. */
  interval: Interval | null;
}

export interface ModelRecord {
  id: string;
  buyer: string;
  period: ModelPeriod;
  status: string;
  start: Date | null;
  billing: DayNumber | null;
  anchor: number;
  payments: number;
  events: string[];
  /** The real time of the last unused code. */
  unusedCode: number;
}

interface Checkout {
  approve: boolean;
  /** Whether a code was refused because another was sent just before. */
  isTooSoon: boolean;
}

const CHANGED = "subscription.status_changed";
const SUCCEEDED = "checkout.succeeded";
const FAILED = "checkout.failed";

/**
 * The specification's state table again, as simply as possible: no database, and time-based
 * changes happen at once. Answers are HTTP statuses or results of the checkout.
 */
export class Model {
  readonly records: ModelRecord[] = [];
  readonly buyers: string[] = [];
  private now = 0;
  private readonly offset: number;
  private readonly graceDays: number;

  constructor({ offset, graceDays }: { offset: number; graceDays: number }) {
    this.offset = offset;
    this.graceDays = graceDays;
  }

  get moment(): number {
    return this.now;
  }

  get today(): DayNumber {
    return dayOf(this.now, this.offset);
  }

  setTime(now: number) {
    this.now = now;
    for (const one of this.records) this.elapse(one);
  }

  private elapse(one: ModelRecord) {
    if (one.billing === null || one.billing >= this.today) return;
    if (one.status === "pending_cancellation") this.end(one, "cancelled", "period_ended");
    if (one.status === "active") this.move(one, "due", "billing_date_passed");
    if (one.status === "due" && one.billing + this.graceDays < this.today)
      this.end(one, "inactive", "grace_elapsed");
  }

  private move(one: ModelRecord, status: string, reason: string, kinds = [CHANGED]) {
    for (const kind of kinds) one.events.push(`${kind}: ${one.status} > ${status} (${reason})`);
    one.status = status;
  }

  private end(one: ModelRecord, status: string, reason: string) {
    this.move(one, status, reason);
    one.billing = null;
  }

  private hasTwin({ buyer, period, id }: Pick<ModelRecord, "buyer" | "period" | "id">) {
    return this.records.some(
      (other) =>
        other.id !== id &&
        other.buyer === buyer &&
        other.period.name === period.name &&
        period.interval !== null &&
        other.status === "active",
    );
  }

  /** @param newId the id from the service, or null if it refused */
  create(buyer: string, period: ModelPeriod, newId: string | null): number {
    if (this.hasTwin({ buyer, period, id: "" })) return 400;
    if (!this.buyers.includes(buyer)) this.buyers.push(buyer);
    const pending = this.records.find(
      (one) =>
        one.buyer === buyer &&
        one.period.plan === period.plan &&
        one.status === "pending_checkout",
    );
    if (pending) pending.period = period;
    else
      this.records.push({
        id: newId ?? "missing",
        buyer,
        period,
        status: "pending_checkout",
        start: null,
        billing: null,
        anchor: 0,
        payments: 0,
        events: [],
        unusedCode: -Infinity,
      });
    return 201;
  }

  /** A payment at the checkout, which takes first and due payments. */
  checkout(one: ModelRecord, { approve, isTooSoon }: Checkout): string {
    if (one.status !== "pending_checkout" && one.status !== "due") return "settled";
    if (isTooSoon) return "too_soon";
    if (this.hasTwin(one)) return "duplicate";
    if (approve) return this.pay(one);
    this.move(one, one.status, "declined", [FAILED]);
    return "declined";
  }

  /** A payment from a provider, which also takes early ones. */
  provider(one: ModelRecord): string {
    const isRenewal = one.status === "active" && one.period.interval !== null;
    if (!isRenewal && one.status !== "pending_checkout" && one.status !== "due")
      return "refused";
    return this.hasTwin(one) ? "duplicate" : this.pay(one);
  }

  private pay(one: ModelRecord): string {
    const isFirst = one.status === "pending_checkout";
    if (one.period.interval !== null) this.extend(one, one.period.interval);
    one.payments += 1;
    this.move(one, "active", isFirst ? "payment" : "renewal", [SUCCEEDED, CHANGED]);
    return "paid";
  }

  private extend(one: ModelRecord, interval: Interval) {
    if (one.billing === null) {
      one.start = new Date(this.now);
      one.anchor = monthDayOf(this.today);
      one.billing = addInterval(this.today, interval, 1, one.anchor);
      return;
    }
    const missed = one.billing;
    let times = 1;
    while (addInterval(missed, interval, times, one.anchor) <= this.today) times += 1;
    if (missed <= this.today) {
      const begin = times === 1 ? missed : addInterval(missed, interval, times - 1, one.anchor);
      one.start = noonOf(begin, this.offset);
    }
    one.billing = addInterval(missed, interval, times, one.anchor);
  }

  cancel(one: ModelRecord): number {
    if (one.period.interval === null) return 400;
    if (one.status === "active") this.move(one, "pending_cancellation", "cancel");
    else if (one.status !== "pending_cancellation") return 400;
    return 200;
  }

  resume(one: ModelRecord): number {
    if (one.period.interval === null) return 400;
    if (one.status === "active") return 200;
    if (one.status !== "pending_cancellation" || this.hasTwin(one)) return 400;
    this.move(one, "active", "resume");
    return 200;
  }

  reschedule(one: ModelRecord, day: DayNumber): number {
    if (day < this.today || one.period.interval === null) return 400;
    if (one.status !== "active" && one.status !== "due") return 400;
    if (one.status === "due" && this.hasTwin(one)) return 400;
    one.billing = day;
    one.anchor = monthDayOf(day);
    this.move(one, "active", "reschedule");
    return 200;
  }

  /** Start of the day `days` after the billing date, or null. */
  beginningOf({ billing }: ModelRecord, days: number): number | null {
    return billing === null ? null : startOfDayNumber(billing + days, this.offset);
  }

  billingMoment({ billing }: ModelRecord): string | null {
    return billing === null ? null : noonOf(billing, this.offset).toISOString();
  }
}
