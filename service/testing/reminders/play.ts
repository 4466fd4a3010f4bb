import assert from "node:assert/strict";
import { advanceLifecycle } from "../advance.ts";
import { TEST_START, type TestService } from "../service.ts";
import { dyingPool } from "../dying-pool.ts";
import {
  askAccount,
  reminderStep,
  reminderText,
  REMINDERS_URL,
  runReminderWork,
  setUpReminders,
} from "./schedule.ts";
import { STEP_OFFSETS, type BuyersChange, type ReminderSequence } from "./sequence.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Milliseconds until a killed worker's leases have ended. */
const RESTART = 2 * MINUTE;

const KINDS: Record<string, object> = {
  b2: { kind: "before", days: 2 },
  b1: { kind: "before", days: 1 },
  on: { kind: "on_day" },
  a1: { kind: "after", days: 1 },
  a3: { kind: "after", days: 3 },
  last: { kind: "last_day" },
};

interface Row {
  id: string;
  phone: string;
  /** The day until which reminders are held; empty without a hold. */
  held: string;
  /** The page that stops reminders, once one has arrived. */
  page: string;
}

/** A reminder that is due: its step, and the subscription with its billing date. */
interface Due {
  name: string;
  id: string;
  date: string;
}

/**
 * Plays workers and buyers, and compares each arrival with the test's own account of what is due.
 * @throws AssertionError if a reminder arrives twice, late, unwanted, or not at all
 */
export async function playReminders(service: TestService, sequence: ReminderSequence) {
  service.clock.set(TEST_START);
  const { steps, weekdays, time_zone } = sequence;
  const opened = await setUpReminders(
    service,
    steps.map(({ kind, time }) =>
      reminderStep("", {
        ...KINDS[kind],
        time,
        texts: [reminderText(`${kind}@${time} {link} {stop}`)],
      }),
    ),
    { weekdays, most_a_week: null },
    { time_zone },
  );
  try {
    await new Play(service, sequence, opened).run();
  } finally {
    await opened.gateway.close();
    // So that the next sequence's workers have nothing to do for this seller.
    await service.pool.query("update reminder_schedule set is_on = false");
    await service.pool.query("update message set state = 'withdrawn' where state = 'queued'");
  }
}

class Play {
  private readonly service: TestService;
  private readonly sequence: ReminderSequence;
  private readonly opened: Awaited<ReturnType<typeof setUpReminders>>;
  private readonly named: { kind: string; time: string; name: string }[];
  private readonly rows: Row[] = [];
  private readonly ranOn = new Map<string, string>();
  private readonly done = new Set<string>();
  private readonly stopped = new Set<string>();
  private ahead = 0;

  constructor(
    service: TestService,
    sequence: ReminderSequence,
    opened: Awaited<ReturnType<typeof setUpReminders>>,
  ) {
    this.service = service;
    this.sequence = sequence;
    this.opened = opened;
    this.named = sequence.steps.map((step) => ({ ...step, name: `${step.kind}@${step.time}` }));
  }

  private now = () => new Date(this.service.clock.now().getTime() + this.ahead);
  private local = () =>
    this.now().toTemporalInstant().toZonedDateTimeISO(this.sequence.time_zone);

  async run() {
    this.service.clock.set(`${this.sequence.start}T01:20:00Z`);
    await this.createBuyers();
    for (const action of this.sequence.actions)
      if (action.do === "work" || action.do === "late") {
        this.service.clock.advance(action.hours * HOUR);
        await this.work(action.do === "late" ? action.change : null);
      } else if (action.do === "kill") await this.kill(action);
      else if (action.do === "pause") this.service.clock.advance(action.hours * HOUR);
      else if (action.do === "jump") await this.jump(action.hours);
      else await this.change(action);
  }

  private async createBuyers() {
    const { api } = this.opened;
    for (const [index, days] of this.sequence.buyers.entries()) {
      // The third and the fourth subscription are of one buyer.
      const phone = `980000020${Math.min(index, 2)}`;
      const email = `buyer${index}@example.com`;
      const period = index === 3 ? api.periods.yearly : api.periods.monthly;
      const { subscription_id: id } = await api.create(period, { phone, email });
      const date = this.local().toPlainDate().add({ days });
      await this.service.pool.query(
        `update subscription set status = 'active', current_period_start = $2, anchor_day = $3,
           next_billing_cycle = $4 where subscription_id = $1`,
        [id, this.service.clock.now(), date.day, new Date(`${date.toString()}T06:15:00Z`)],
      );
      this.rows.push({ id, phone, held: "", page: "" });
    }
  }

  private async work(late: BuyersChange | null = null) {
    const expected = await this.due();
    const arrived = await this.runWorkers({
      ...(late && { between: () => this.change(late) }),
    });
    const stays = late ? await this.stillDue(expected) : expected;
    this.compare(arrived, stays);
    for (const each of expected) this.done.add(nameOf(each));
  }

  private async kill({ hours, statements }: { hours: number; statements: number }) {
    const { clock, context, pool } = this.service;
    clock.advance(hours * HOUR - RESTART);
    const expected = await this.due();
    const before = await this.runWorkers({
      context: { ...context, pool: dyingPool(pool, statements) },
      onError: (error) => assert.equal((error as Error).message, "killed"),
    });
    clock.advance(RESTART);
    const after = await this.runWorkers({});
    const { rows } = await pool.query<{ subscription_id: string }>(
      `select subscription_id from message
       where seller_id = $1 and state = 'unknown' and state_at >= $2`,
      [this.opened.api.seller.seller_id, clock.now()],
    );
    const unknown = new Set(rows.map(({ subscription_id }) => subscription_id));
    const arrived = [...before, ...after];
    // A message that may have been sent is never sent again, and the desk shows it as unknown.
    const lost = expected.filter(
      (each) =>
        unknown.has(each.id) &&
        !arrived.some(({ id, name }) => id === each.id && name === each.name),
    );
    this.compare(
      arrived,
      expected.filter((each) => !lost.includes(each)),
    );
    for (const each of expected) this.done.add(nameOf(each));
  }

  private async jump(hours: number) {
    const answer = await this.opened.api.post("/sandbox/clock/advance/", { by: `PT${hours}H` });
    assert.equal(answer.statusCode, 200, answer.body);
    this.ahead += hours * HOUR;
    // A channel pauses for a moment after each message.
    this.service.clock.advance(1_000);
    await this.work();
  }

  private async change(change: BuyersChange) {
    const { api, owner } = this.opened;
    const row = this.rows[change.buyer];
    if (!row) return;
    if (change.do === "pay") {
      if ((await api.read(row.id)).status === "due") await api.pay(row.id);
    } else if (change.do === "promise") {
      row.held = this.local().toPlainDate().add({ days: change.days }).toString();
      const hold = { subscription_id: row.id, until: row.held };
      const held = await askAccount(
        this.service,
        owner,
        "POST",
        `${REMINDERS_URL}/holds/`,
        hold,
      );
      assert.equal(held.statusCode, 201, held.body);
    } else if (row.page !== "") {
      const isStopped = this.stopped.delete(row.phone);
      if (!isStopped) this.stopped.add(row.phone);
      const answer = await this.service.call(null, {
        method: "POST",
        url: row.page,
        payload: `choice=${isStopped ? "resume" : "stop"}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      assert.equal(answer.statusCode, 200, answer.body);
    }
  }

  private async runWorkers(how: Parameters<typeof runReminderWork>[3]) {
    const { service, opened } = this;
    await advanceLifecycle(service.pool, opened.api.seller, this.now());
    const moment = service.clock.now().toISOString();
    const texts = await runReminderWork(service, opened.gateway, moment, how);
    return texts.map((text) => {
      const [, name = "", id = "", page = ""] =
        /^(\S+) \S+\/pay\/(\S+) http:\/\/billing\.test(\/stop\/\S+)/.exec(text) ?? [];
      const row = this.rows.find((one) => one.id === id);
      if (row) row.page = page;
      return { name, id };
    });
  }

  /** Reminders that the workers have to send now; a step counts as done today from then on. */
  private async due(): Promise<Due[]> {
    await advanceLifecycle(this.service.pool, this.opened.api.seller, this.now());
    const { weekdays } = this.sequence;
    const today = this.local().toPlainDate();
    const time = this.local().toPlainTime().toString({ smallestUnit: "minute" });
    if (!weekdays.includes(today.dayOfWeek) || time < "08:00" || time >= "20:00") return [];
    const begun = this.named.filter((one) => one.time <= time);
    const fresh = begun.filter(
      (one) =>
        this.ranOn.get(one.name) !== today.toString() &&
        !begun.some((other) => other.kind === one.kind && other.time > one.time),
    );
    for (const { name } of fresh) this.ranOn.set(name, today.toString());
    const due: Due[] = [];
    for (const row of fresh.length > 0 ? this.rows : []) {
      const billing = await this.owedSince(row);
      if (billing === null) continue;
      for (const { kind, name } of fresh)
        if (this.goesOn(kind, billing, today))
          due.push({ name, id: row.id, date: billing.toString() });
    }
    return due;
  }

  /** The billing date of a subscription of which the buyer may be reminded; else null. */
  private async owedSince({ id, phone, held }: Row) {
    const { next_billing_cycle: at, status } = await this.opened.api.read(id);
    if (at === null || !["active", "due"].includes(status)) return null;
    if (this.stopped.has(phone) || held > this.local().toPlainDate().toString()) return null;
    return Temporal.Instant.from(at).toZonedDateTimeISO(this.sequence.time_zone).toPlainDate();
  }

  /**
   * Whether a step is sent today: on its day or else the next allowed weekday, unless the day of a
   * later step has come by then.
   */
  private goesOn(kind: string, billing: Temporal.PlainDate, today: Temporal.PlainDate) {
    const dayOf = (each: string) => billing.add({ days: STEP_OFFSETS[each] ?? 0 });
    const day = dayOf(kind);
    let moved = day;
    while (!this.sequence.weekdays.includes(moved.dayOfWeek)) moved = moved.add({ days: 1 });
    const isPassed = this.named.some(
      (other) =>
        Temporal.PlainDate.compare(dayOf(other.kind), day) > 0 &&
        Temporal.PlainDate.compare(dayOf(other.kind), today) <= 0,
    );
    return moved.equals(today) && !isPassed;
  }

  private async stillDue(due: Due[]): Promise<Due[]> {
    const stays: Due[] = [];
    for (const each of due) {
      const row = this.rows.find(({ id }) => id === each.id);
      const billing = row && (await this.owedSince(row));
      if (billing?.toString() === each.date) stays.push(each);
    }
    return stays;
  }

  private compare(arrived: { name: string; id: string }[], expected: Due[]) {
    const dateOf = (id: string) => expected.find((each) => each.id === id)?.date ?? "";
    const named = arrived.map((each) => nameOf({ ...each, date: dateOf(each.id) }));
    assert.deepEqual(named.toSorted(), expected.map(nameOf).toSorted());
    for (const one of named) assert.ok(!this.done.has(one), `${one} came twice`);
    const ids = arrived.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, "two steps at once");
  }
}

const nameOf = ({ name, id, date }: Due) => `${name} ${id} ${date}`;
