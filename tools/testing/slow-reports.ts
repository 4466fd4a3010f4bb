import { addDays, addMonths, daysBetween } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import { roundUnits, sumUnits, toUnits, monthlyUnits } from "./slow-money.ts";
import {
  billingDatesFrom,
  daysInRange,
  intervalBetween,
  millisecondBefore,
} from "./slow-dates.ts";
import {
  expectedAmountOf,
  type SubscriptionHistoryFixture,
  type KnownHistories,
  type SubscriptionVersion,
} from "./fixtures/history-fixture.ts";

interface SlowQuestion {
  known: KnownHistories;
  from: string;
  to: string;
  now: string;
  time_zone: string;
}

/** The time zone of every seller of the fixture; a report can use another. */
const SELLERS_ZONE = "Asia/Kathmandu";
const SUBSCRIBED = ["active", "due", "pending_cancellation"];
const isSubscribed = (version: SubscriptionVersion | null) =>
  version !== null && SUBSCRIBED.includes(version.status);
const priceOf = ({ price }: SubscriptionVersion) =>
  /^\d+(\.\d+)?$/.test(price) ? price : null;

/** A slow reference implementation of the reports: it visits every subscription and every moment. */
export class SlowReports {
  private readonly asked: SlowQuestion;
  readonly today: string;
  readonly recurring: SubscriptionHistoryFixture[];

  constructor(asked: SlowQuestion) {
    this.asked = asked;
    this.today = this.dayOf(asked.now);
    this.recurring = asked.known.histories.filter((one) => !this.isOneTime(one));
  }

  dayOf = (moment: string) => dayInZone(moment, this.asked.time_zone);
  startOf = (day: string) => zonedMoment(day, this.asked.time_zone) ?? "";
  isKnown = (moment: string) => moment >= this.asked.known.known_since;

  latest = ({ versions }: SubscriptionHistoryFixture): SubscriptionVersion => {
    const last = versions.at(-1);
    if (!last) throw new Error("a history has no version");
    return last;
  };

  isOneTime(history: SubscriptionHistoryFixture): boolean {
    const { pbp_id, status, start, next } = this.latest(history);
    if (this.asked.known.listed[pbp_id]?.startsWith("one_time")) return true;
    return status === "active" && start === null && next === null;
  }

  /** The version of a record at that moment; null before the subscription existed. */
  at(history: SubscriptionHistoryFixture, moment: string): SubscriptionVersion | null {
    const [first] = history.versions;
    if (!first) return null;
    const born = history.created_at < first.at ? history.created_at : first.at;
    if (born > moment) return null;
    return history.versions.findLast(({ at }) => at <= moment) ?? first;
  }

  private get interval() {
    const { from, to } = this.asked;
    return { start: this.startOf(from), end: this.startOf(addDays(to, 1)) };
  }

  every(pbp_id: string): string | null {
    const { listed } = this.asked.known;
    if (listed[pbp_id]) return listed[pbp_id];
    const said = new Map<string, number>();
    for (const history of this.recurring) {
      const { start, next, pbp_id: own } = this.latest(history);
      if (own !== pbp_id || start === null || next === null) continue;
      const every = intervalBetween(this.dayOf(start), this.dayOf(next));
      if (every) said.set(every, (said.get(every) ?? 0) + 1);
    }
    const [most] = [...said].toSorted(([a, one], [b, other]) =>
      one === other ? (a < b ? -1 : 1) : other - one,
    );
    return most?.[0] ?? null;
  }

  revenue() {
    const { start, end } = this.interval;
    const subscriptionData = (moment: string) =>
      this.recurring.flatMap((history) => {
        const version = this.at(history, moment);
        return version && isSubscribed(version) ? [version] : [];
      });
    const isPriced = (one: SubscriptionVersion) =>
      priceOf(one) !== null && this.every(one.pbp_id) !== null;
    const monthly = (versions: SubscriptionVersion[], currency: string) =>
      roundUnits(
        versions
          .filter((one) => isPriced(one) && one.currency === currency)
          .map((one) => monthlyUnits(priceOf(one) ?? "0", this.every(one.pbp_id) ?? ""))
          .reduce((sum, units) => sum + units, 0n),
      );
    const [now, then] = [subscriptionData(end), subscriptionData(start)];
    const of = (status: string) => now.filter((one) => one.status === status);
    const amounts = (currency: string) => ({
      currency,
      amount: monthly(now, currency),
      start: this.isKnown(start) ? monthly(then, currency) : null,
      active: monthly(of("active"), currency),
      due: monthly(of("due"), currency),
      ending: monthly(of("pending_cancellation"), currency),
    });
    return {
      currencies: ["NPR", "USD"].map(amounts),
      counts: SUBSCRIBED.map((status) => of(status).filter(isPriced).length),
      estimated: now.filter((one) => isPriced(one) && !this.asked.known.listed[one.pbp_id])
        .length,
      unknown: now.filter((one) => !isPriced(one)).length,
    };
  }

  subscribers() {
    const { from, to, now } = this.asked;
    const count = (moment: string, status: string) =>
      this.recurring.filter((one) => this.at(one, moment)?.status === status).length;
    const counts = (moment: string) => SUBSCRIBED.map((status) => count(moment, status));
    return daysInRange(from, to).map((day) => {
      const end = this.startOf(addDays(day, 1));
      const moment = end > now ? now : end;
      return this.isKnown(moment) ? counts(moment) : [null, null, null];
    });
  }

  /** Every change from one version to the next within the interval. */
  private changes(histories: SubscriptionHistoryFixture[], start: string, end: string) {
    return histories.flatMap((history) =>
      history.versions.slice(1).flatMap((to, at) => {
        const from = history.versions[at];
        return from && to.at >= start && to.at < end ? [{ history, from, to }] : [];
      }),
    );
  }

  movement(start = this.interval.start, end = this.interval.end) {
    const changes = this.changes(this.recurring, start, end);
    const ids = (is: (from: SubscriptionVersion, to: SubscriptionVersion) => boolean) =>
      new Set(changes.filter(({ from, to }) => is(from, to)).map(({ history }) => history.id))
        .size;
    const isLost = (from: SubscriptionVersion, to: SubscriptionVersion, status: string) =>
      isSubscribed(from) && to.status === status;
    const isResumed = (from: SubscriptionVersion, to: SubscriptionVersion) =>
      from.status === "pending_cancellation" && to.status === "active";
    const isSaved = (from: SubscriptionVersion, to: SubscriptionVersion) =>
      from.status === "due" && isRenewal(from, to);
    return {
      created: this.recurring.filter(
        ({ created_at }) => created_at >= start && created_at < end,
      ).length,
      begun: ids(isFirst),
      lost: ids((a, b) => isLost(a, b, "cancelled") || isLost(a, b, "inactive")),
      cancelled: ids((a, b) => isLost(a, b, "cancelled")),
      inactive: ids((a, b) => isLost(a, b, "inactive")),
      saved: ids((a, b) => isResumed(a, b) || isSaved(a, b)),
      resumed: ids(isResumed),
      paid_when_due: ids(isSaved),
    };
  }

  checkouts() {
    const { start, end } = this.interval;
    const { histories } = this.asked.known;
    const isWaiting = (one: SubscriptionHistoryFixture) =>
      this.latest(one).status === "pending_checkout";
    const made = histories.filter(({ created_at }) => created_at >= start && created_at < end);
    const unpaid = made.filter(isWaiting).length;
    return {
      created: made.length,
      finished: made.length - unpaid,
      unpaid,
      waiting: histories.filter(isWaiting).length,
    };
  }

  /** Payments as the search index keeps them: each rounded to two decimal places. */
  collected() {
    const rounded = (price: string) => roundUnits(toUnits(price));
    const { start, end } = this.interval;
    const paid = this.changes(this.asked.known.histories, start, end).filter(
      // Without the start of a period, a rescheduled date looks like a payment.
      ({ from, to }) => isFirst(from, to) || (to.start !== null && isRenewal(from, to)),
    );
    return ["NPR", "USD"].map((currency) => {
      const prices = paid.flatMap(({ to }) =>
        to.currency === currency && priceOf(to) !== null ? [this.takenFor(to)] : [],
      );
      const fees = prices.map((price) => roundUnits((toUnits(price) * 199n) / 10_000n));
      const [amount, fee] = [sumUnits(prices.map(rounded)), sumUnits(fees)];
      return {
        payments: prices.length,
        amount: roundUnits(amount),
        fee: roundUnits(fee),
        net: roundUnits(amount - fee),
      };
    });
  }

  /** The amount that the checkout asked for on the day of the payment. */
  private takenFor(paid: SubscriptionVersion): string {
    const day = dayInZone(paid.start ?? paid.at, SELLERS_ZONE);
    return expectedAmountOf(this.asked.known, paid, day);
  }

  owed(youngest: number, oldest: number) {
    const due = this.recurring.map(this.latest).filter((one) => {
      if (one.status !== "due" || one.next === null) return false;
      const late = Math.max(0, daysBetween(this.dayOf(one.next), this.today));
      return late >= youngest && late <= oldest;
    });
    return ["NPR", "USD"].map((currency) => {
      const own = due.filter((one) => one.currency === currency && priceOf(one) !== null);
      const asked = own.map((one) => expectedAmountOf(this.asked.known, one, this.today));
      return { count: own.length, amount: roundUnits(sumUnits(asked)) };
    });
  }

  /** @returns the number of billing dates and the sum of the amounts to pay on them, by currency */
  expected(days: number) {
    const end = addDays(this.today, days);
    const bills = this.recurring
      .map(this.latest)
      .filter(({ status, next }) => status === "active" && next !== null)
      .flatMap((one) => {
        const [next, start] = [this.dayOf(one.next ?? ""), one.start && this.dayOf(one.start)];
        return next >= this.today
          ? billingDatesFrom(next, start, this.every(one.pbp_id), end).map((day) => ({
              one,
              day,
            }))
          : [];
      });
    return ["NPR", "USD"].map((currency) => {
      const own = bills.filter(({ one }) => one.currency === currency);
      const asked = own.flatMap(({ one, day }) =>
        priceOf(one) === null ? [] : [expectedAmountOf(this.asked.known, one, day)],
      );
      return { count: own.length, amount: roundUnits(sumUnits(asked)) };
    });
  }

  observed() {
    const since = this.dayOf(this.asked.known.known_since);
    const dates = this.changes(this.recurring, "", "9").flatMap(({ from, to }) => {
      if (from.next === null || this.dayOf(from.next) < since) return [];
      const isAsked = from.status === "active" || from.status === "due";
      if (isRenewal(from, to))
        return isAsked ? [this.dayOf(to.at) <= this.dayOf(from.next) ? "in_time" : "late"] : [];
      if (from.status !== "due") return [];
      const isOver = to.status === "cancelled" || to.status === "inactive";
      return isOver || to.next !== from.next ? ["unpaid"] : [];
    });
    const still = this.recurring
      .map(this.latest)
      .filter(({ status, next }) => status === "due" && next && this.dayOf(next) >= since);
    const count = (name: string) => dates.filter((one) => one === name).length;
    const unpaid = count("unpaid") + still.length;
    return {
      passed: dates.length + still.length,
      in_time: count("in_time"),
      late: count("late"),
      unpaid,
    };
  }

  retention() {
    const thisMonth = this.today.slice(0, 7);
    const months = Array.from({ length: 12 }, (_, at) =>
      addMonths(`${thisMonth}-01`, at - 11).slice(0, 7),
    );
    return months.flatMap((month) => {
      const cohort = this.recurring.filter((one) => {
        const first = this.changes([one], "", "9").find(({ from, to }) => isFirst(from, to));
        const isPaid = this.latest(one).status !== "pending_checkout";
        return isPaid && this.dayOf(first?.to.at ?? one.created_at).startsWith(month);
      });
      const left = months
        .filter((later) => later >= month)
        .map((later) => {
          const end = this.startOf(addMonths(`${later}-01`, 1));
          if (!this.isKnown(end)) return null;
          const moment = end > this.asked.now ? this.asked.now : millisecondBefore(end);
          return cohort.filter((one) =>
            isSubscribed(
              one.versions.findLast(({ at }) => at <= moment) ?? one.versions[0] ?? null,
            ),
          ).length;
        });
      return cohort.length > 0 ? [{ month, begun: cohort.length, left }] : [];
    });
  }
}

const isFirst = (from: SubscriptionVersion, to: SubscriptionVersion) =>
  from.status === "pending_checkout" && isSubscribed(to);

function isRenewal(from: SubscriptionVersion, to: SubscriptionVersion): boolean {
  if (from.status === "pending_checkout") return false;
  if (from.start !== null) return to.start !== null && to.start > from.start;
  return from.status === "due" && to.status === "active";
}
