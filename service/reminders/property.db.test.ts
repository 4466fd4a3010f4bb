import fc from "fast-check";
import { expect, it } from "vitest";
import { answerWith } from "../testing/endpoint.ts";
import {
  askAccount,
  openReminders,
  reminderStep,
  reminderText,
  REMINDERS_URL,
  runReminderWork,
} from "../testing/reminders.ts";
import { TEST_START } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { advanceLifecycle } from "../testing/advance.ts";

const service = useTestService();
const ZONE = "Asia/Kathmandu";
const GRACE = 7;
const HOUR = 3_600_000;
const RUNS = 100;

const OFFSETS: Record<string, number> = { b2: -2, b1: -1, on: 0, a1: 1, a3: 3, last: GRACE };
const KINDS: Record<string, object> = {
  b2: { kind: "before", days: 2 },
  b1: { kind: "before", days: 1 },
  on: { kind: "on_day" },
  a1: { kind: "after", days: 1 },
  a3: { kind: "after", days: 3 },
  last: { kind: "last_day" },
};

const plan = fc.record({
  steps: fc.uniqueArray(
    fc.record({
      kind: fc.constantFrom(...Object.keys(KINDS)),
      time: fc.constantFrom("09:00", "12:30", "18:00"),
    }),
    { minLength: 1, maxLength: 6, selector: ({ kind, time }) => kind + time },
  ),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 3, maxLength: 7 }),
  // Around month ends, and the end of February.
  start: fc.constantFrom("2026-03-28", "2028-02-26", "2026-12-29", "2026-04-29"),
  buyers: fc.array(fc.integer({ min: -1, max: 5 }), { minLength: 1, maxLength: 3 }),
  actions: fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant("work" as const),
          hours: fc.integer({ min: 1, max: 9 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant("pause" as const),
          hours: fc.integer({ min: 1, max: 60 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("pay" as const), buyer: fc.nat(2) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("stop" as const), buyer: fc.nat(2) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant("hold" as const),
          buyer: fc.nat(2),
          days: fc.integer({ min: 1, max: 4 }),
        }),
      },
    ),
    { minLength: 8, maxLength: 24 },
  ),
});
type Plan = typeof plan extends fc.Arbitrary<infer One> ? One : never;

const local = () => service.clock.now().toTemporalInstant().toZonedDateTimeISO(ZONE);

/** Plays the workers and the buyers, and compares each arrival with what is due by hand. */
async function play({ steps, weekdays, start, buyers, actions }: Plan) {
  service.clock.set(TEST_START);
  const named = steps.map(({ kind, time }) => ({ kind, time, name: `${kind}@${time}` }));
  const { gateway, api, owner } = await openReminders(
    service,
    named.map(({ kind, time, name }) =>
      reminderStep("", {
        ...KINDS[kind],
        time,
        texts: [reminderText(`${name} {link} {stop}`)],
      }),
    ),
    { weekdays, most_a_week: null },
  );
  gateway.answer = answerWith(200);
  service.clock.set(`${start}T01:00:00Z`);
  const rows: { id: string; held: string; page: string; stopped: boolean }[] = [];
  for (const [index, days] of buyers.entries()) {
    const { subscription_id: id } = await api.create(api.periods.monthly, {
      phone: `980000020${index}`,
      email: `buyer${index}@example.com`,
    });
    const date = local().toPlainDate().add({ days });
    await service.pool.query(
      `update subscription set status = 'active', current_period_start = $2, anchor_day = $3,
         next_billing_cycle = $4 where subscription_id = $1`,
      [id, service.clock.now(), date.day, new Date(`${date.toString()}T06:15:00Z`)],
    );
    rows.push({ id, held: "", page: "", stopped: false });
  }
  const ranOn = new Map<string, string>();
  const dates = new Map<string, string>();
  const sent = new Set<string>();

  const dueNow = async (): Promise<string[]> => {
    const today = local().toPlainDate();
    const time = local().toPlainTime().toString({ smallestUnit: "minute" });
    if (!weekdays.includes(today.dayOfWeek) || time < "08:00" || time >= "20:00") return [];
    const begun = named.filter((one) => one.time <= time);
    const fresh = begun.filter(
      (one) =>
        ranOn.get(one.name) !== today.toString() &&
        !begun.some((other) => other.kind === one.kind && other.time > one.time),
    );
    for (const { name } of fresh) ranOn.set(name, today.toString());
    const expected: string[] = [];
    for (const row of fresh.length > 0 ? rows : []) {
      const { next_billing_cycle: at, status } = await api.read(row.id);
      if (at === null || !["active", "due"].includes(status)) continue;
      if (row.stopped || row.held > today.toString()) continue;
      const billing = Temporal.Instant.from(at).toZonedDateTimeISO(ZONE).toPlainDate();
      dates.set(row.id, billing.toString());
      for (const { kind, name } of fresh) {
        const day = billing.add({ days: OFFSETS[kind] ?? 0 });
        let moved = day;
        while (!weekdays.includes(moved.dayOfWeek)) moved = moved.add({ days: 1 });
        const isPassed = named.some((other) => {
          const later = billing.add({ days: OFFSETS[other.kind] ?? 0 });
          return (
            Temporal.PlainDate.compare(later, day) > 0 &&
            Temporal.PlainDate.compare(later, today) <= 0
          );
        });
        if (moved.equals(today) && !isPassed)
          expected.push(`${name} ${row.id} ${billing.toString()}`);
      }
    }
    return expected.toSorted();
  };

  const work = async () => {
    await advanceLifecycle(service.pool, api.seller, service.clock.now());
    const expected = await dueNow();
    const arrived = (
      await runReminderWork(service, gateway, service.clock.now().toISOString())
    ).map((text) => {
      const [, name = "", id = "", page = ""] =
        /^(\S+) \S+\/pay\/(\S+) http:\/\/billing\.test(\/stop\/\S+)/.exec(text) ?? [];
      const row = rows.find((one) => one.id === id);
      if (row) row.page = page;
      return `${name} ${id} ${dates.get(id) ?? ""}`;
    });
    expect(arrived.toSorted()).toEqual(expected);
    for (const one of arrived) {
      expect([one, sent.has(one)]).toEqual([one, false]);
      sent.add(one);
    }
    const ids = arrived.map((one) => one.split(" ")[1]);
    expect(new Set(ids).size).toBe(ids.length);
  };

  for (const action of actions) {
    if (action.do === "work") {
      service.clock.advance(action.hours * HOUR);
      await work();
      continue;
    }
    if (action.do === "pause") {
      service.clock.advance(action.hours * HOUR);
      continue;
    }
    const row = rows[action.buyer];
    if (!row) continue;
    if (action.do === "pay") {
      if ((await api.read(row.id)).status === "due") await api.pay(row.id);
    } else if (action.do === "hold") {
      row.held = local().toPlainDate().add({ days: action.days }).toString();
      const hold = { subscription_id: row.id, until: row.held };
      const held = await askAccount(service, owner, "POST", `${REMINDERS_URL}/holds/`, hold);
      expect(held.statusCode).toBe(201);
    } else if (row.page !== "") {
      row.stopped = !row.stopped;
      const answer = await service.call(null, {
        method: "POST",
        url: row.page,
        payload: `choice=${row.stopped ? "stop" : "resume"}`,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect(answer.statusCode).toBe(200);
    }
  }
  await gateway.close();
}

it(
  "what arrives is what is due: nothing twice, late, unwanted or forgotten",
  { timeout: 600_000 },
  () => fc.assert(fc.asyncProperty(plan, play), { numRuns: RUNS }),
);
