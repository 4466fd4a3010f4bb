import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Clock, ClockMove, TimeSpan } from "#contract/sandbox.ts";
import {
  choosePaymentOutcome,
  requestCode,
  submitCodePage,
} from "../../testing/checkout-forms.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";

const service = useTestService();

const forecast = async (api: SellerApi, by: string) =>
  TimeSpan.parse((await api.call({ url: `/sandbox/forecast/?by=${by}` })).json());
const moved = (body: unknown): TimeSpan => {
  const { undo, ...span } = ClockMove.parse(body);
  expect(undo).toBeGreaterThan(0);
  return span;
};
const advance = async (api: SellerApi, by: string) =>
  moved((await api.post("/sandbox/clock/advance/", { by })).json());

/** All events, in the order in which they were written. */
async function announced({ seller }: SellerApi) {
  const { rows } = await service.pool.query<Record<string, string>>(
    `select wire_time(created_at) as at, subscription_id, old_status, new_status, reason, event
     from event where seller_id = $1 order by sequence`,
    [seller.seller_id],
  );
  return rows;
}

const told = (steps: TimeSpan["steps"]) =>
  steps.flatMap(({ events, full_name: _name, ...step }) =>
    events.map((event) => ({ ...step, event })),
  );

async function leaveAtProvider(id: string, ahead = false) {
  const attempt = await requestCode(service, id, ahead ? { early: "1" } : {});
  return (await submitCodePage(service, id, attempt)).reference;
}

/** Actions of a buyer before the clock moves. */
const DEEDS = [
  "nothing",
  "asked for a code",
  "left at the provider",
  "left two tabs at the provider",
  "declined at the provider",
  "paid",
  "cancelled",
  "left while paying ahead",
  "cancelled while paying ahead",
] as const;

async function act(
  api: SellerApi,
  id: string,
  deed: (typeof DEEDS)[number],
  isRecurring: boolean,
) {
  if (deed === "asked for a code") await requestCode(service, id);
  if (deed.startsWith("left") && !deed.includes("ahead")) await leaveAtProvider(id);
  if (deed.includes("two tabs")) await leaveAtProvider(id);
  if (deed.startsWith("declined"))
    await choosePaymentOutcome(service, await leaveAtProvider(id), "decline");
  if (deed !== "paid" && !deed.includes("cancelled") && !deed.includes("ahead")) return;
  await api.pay(id);
  if (isRecurring && deed.includes("ahead")) await leaveAtProvider(id, true);
  if (deed.includes("cancelled")) await api.requestCancel(id);
}

const plan = fc.record({
  time_zone: fc.constantFrom("Asia/Kathmandu", "America/Los_Angeles", "Pacific/Kiritimati"),
  grace_days: fc.integer({ min: 0, max: 9 }),
  records: fc.array(
    fc.record({
      period: fc.constantFrom("weekly", "days", "monthly", "once"),
      deed: fc.constantFrom(...DEEDS),
      minutesLater: fc.nat(90),
    }),
    { maxLength: 6 },
  ),
  spans: fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 120 }).map((minutes) => `PT${minutes}M`),
      fc.integer({ min: 1, max: 30 }).map((hours) => `PT${hours}H`),
      fc.integer({ min: 1, max: 30 }).map((days) => `P${days}D`),
    ),
    { minLength: 1, maxLength: 5 },
  ),
  lateDeed: fc.boolean(),
});

describe("a forecast of the sandbox clock", () => {
  it("equals the events of the following clock advance, with their times and order", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ records, spans, lateDeed, ...seller }) => {
        service.clock.set("2026-03-10T06:00:00Z");
        const api = await SellerApi.open(service, seller);
        const ids: string[] = [];
        for (const [buyer, { period, deed, minutesLater }] of records.entries()) {
          const phone = `980000000${buyer}`;
          const { subscription_id } = await api.create(api.periods[period as "weekly"], {
            phone,
          });
          ids.push(subscription_id);
          await act(api, subscription_id, deed, period !== "once");
          service.clock.advance(minutesLater * 60_000);
        }
        for (const [index, by] of spans.entries()) {
          const foreseen = await forecast(api, by);
          const before = await announced(api);
          expect(await forecast(api, by)).toEqual(foreseen);
          expect(await announced(api)).toEqual(before);
          expect(await advance(api, by)).toEqual(foreseen);
          const after = await announced(api);
          expect(after.slice(before.length)).toEqual(told(foreseen.steps));
          // A payment is in progress while time moves.
          if (lateDeed && index === 0)
            for (const id of ids)
              if ((await api.read(id)).status === "due") await leaveAtProvider(id);
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it("lists a payment that times out and the checkout that is then abandoned", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    await leaveAtProvider(id);
    const { steps } = await forecast(api, "P2D");
    expect(steps.map(({ at, reason }) => `${at} ${reason}`)).toEqual([
      "2026-03-10T06:30:00.000Z timed_out",
      "2026-03-11T06:30:00.000Z abandoned",
    ]);
    expect(await api.events(id)).toEqual([]);
  });

  it("counts all status changes, and lists the changes page by page with the buyers' names", async () => {
    const api = await SellerApi.open(service);
    for (const one of [1, 2, 3])
      await api.createActive(api.periods.weekly, {
        phone: `980000000${one}`,
        full_name: `Buyer ${one}`,
      });
    const whole = await forecast(api, "P1M");
    expect(whole).toMatchObject({
      count: 6,
      reasons: [
        { reason: "billing_date_passed", count: 3 },
        { reason: "grace_elapsed", count: 3 },
      ],
      moments: [
        { at: "2026-03-17T18:15:00.000Z", count: 3 },
        { at: "2026-03-24T18:15:00.000Z", count: 3 },
      ],
    });
    expect(whole.steps.map((step) => step.full_name).slice(0, 3)).toEqual([
      "Buyer 1",
      "Buyer 2",
      "Buyer 3",
    ]);
    const paged = [];
    for (const page of [1, 2, 3])
      paged.push(...(await forecast(api, `P1M&page=${page}&page_size=2`)).steps);
    expect(paged).toEqual(whole.steps);
    expect((await forecast(api, "P1M&page=4&page_size=2")).steps).toEqual([]);
  });
});

it("the sandbox clock jumps exactly to its announced next change, even to a checkout's timeout", async () => {
  const api = await SellerApi.open(service);
  const { subscription_id: id } = await api.create();
  await leaveAtProvider(id);
  const moments = [];
  for (let jump = 0; jump < 2; jump += 1) {
    const clock = Clock.parse((await api.call({ url: "/sandbox/clock/" })).json());
    moments.push(clock.next_transition_at);
    const span = moved((await api.post("/sandbox/clock/next/")).json());
    expect(span).toMatchObject({ to: clock.next_transition_at, count: 1 });
  }
  expect(moments).toEqual(["2026-03-10T06:30:00.000Z", "2026-03-11T06:30:00.000Z"]);
  expect((await api.post("/sandbox/clock/next/")).statusCode).toBe(400);
});
