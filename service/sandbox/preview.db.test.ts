import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeskPreview, NextEvent } from "#contract/sandbox-preview.ts";
import { Desk } from "../testing/desk.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const preview = async (desk: Desk, query: string) => {
  const answer = await desk.call({ url: `/sandbox/preview/?${query}` });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return DeskPreview.parse(answer.json());
};
const nextOf = async (desk: Desk, id: string) =>
  NextEvent.parse((await desk.call({ url: `/sandbox/subscriptions/${id}/next/` })).json());

/** How the account stands, in the preview's own words. */
async function standing(desk: Desk) {
  const { rows } = await service.pool.query<{ status: string; count: number }>(
    `select status, count(*)::int as count from subscription
     where seller_id = $1 and not is_one_time group by 1`,
    [desk.seller.seller_id],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
const foretold = ({ statuses }: DeskPreview, when: "now" | "later") =>
  Object.fromEntries(
    statuses.filter((one) => one[when] > 0).map((one) => [one.status, one[when]]),
  );

const plan = fc.record({
  time_zone: fc.constantFrom("Asia/Kathmandu", "America/Los_Angeles", "Pacific/Kiritimati"),
  grace_days: fc.integer({ min: 0, max: 9 }),
  records: fc.array(
    fc.record({
      period: fc.constantFrom("weekly", "days", "monthly", "once"),
      deed: fc.constantFrom("none", "pay", "cancel"),
    }),
    { maxLength: 6 },
  ),
  spans: fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 3 }),
});

describe("the desk as it will be", () => {
  it("is the desk as it is once the clock was moved, and moves nothing itself", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ records, spans, ...seller }) => {
        service.clock.set("2026-03-10T06:00:00Z");
        const desk = await Desk.open(service, seller);
        for (const [buyer, { period, deed }] of records.entries()) {
          const phone = `980000000${buyer}`;
          const { subscription_id } = await desk.create(desk.periods[period as "weekly"], {
            phone,
          });
          if (deed !== "none") await desk.pay(subscription_id);
          if (deed === "cancel") await desk.requestCancel(subscription_id);
        }
        for (const days of spans) {
          const by = `P${days}D`;
          const then = await preview(desk, `by=${by}`);
          expect(foretold(then, "now")).toEqual(await standing(desk));
          expect(await preview(desk, `by=${by}`)).toEqual(then);
          const { count: ended } = await preview(desk, `by=${by}&list=ended`);
          expect(ended).toBe(then.unpaid + then.cancelled);
          await desk.post("/sandbox/clock/advance/", { by });
          expect(foretold(then, "later")).toEqual(await standing(desk));
          const { results } = await desk.list("?status=due&page_size=100");
          expect(then.results.map((row) => row.subscription_id).toSorted()).toEqual(
            results.map((row) => row.subscription_id).toSorted(),
          );
        }
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  it("says who is due and who has ended, first what ends first, with the money", async () => {
    const desk = await Desk.open(service);
    const weekly = await desk.createActive(desk.periods.weekly);
    const days = await desk.createActive(desk.periods.days, { phone: "9800000002" });
    const then = await preview(desk, "by=P16D");
    expect(then).toMatchObject({
      newly_due: 1,
      unpaid: 1,
      cancelled: 0,
      count: 1,
      money: [{ currency: "NPR", owed_now: "0.00", owed_then: "1130.00", lost: "1130.00" }],
      results: [
        {
          subscription_id: days,
          full_name: "Asmita Rai",
          product_name: "Milk",
          new_status: "due",
          since: "2026-03-20T18:15:00.000Z",
          ends_at: "2026-03-27T18:15:00.000Z",
        },
      ],
    });
    const ended = await preview(desk, "by=P16D&list=ended&page_size=1");
    expect(ended.results).toMatchObject([{ subscription_id: weekly, new_status: "inactive" }]);
    expect((await preview(desk, "by=P16D&page=2")).results).toEqual([]);
    expect((await desk.read(weekly)).status).toBe("active");
  });

  it("says what the checkout asks for on those days, with their offers and VAT", async () => {
    const desk = await Desk.open(service);
    await desk.createActive(desk.periods.weekly);
    await desk.createActive(desk.periods.days, { phone: "9800000002" });
    // The ten days are over on the 21st; the week's seven days of grace end with the 24th.
    const offers: [string, number, string, string][] = [
      [desk.periods.days, 100, "2026-03-21", "2026-03-25"],
      [desk.periods.days, 200, "2026-03-26", "2026-03-26"],
      [desk.periods.weekly, 50, "2026-03-25", "2026-03-25"],
    ];
    for (const offer of offers)
      await service.pool.query(
        `insert into offer (id, seller_id, pbp_id, discount_amount, starts_at, valid_until)
         values (gen_random_uuid(), $1, $2, $3, $4, $5)`,
        [desk.seller.seller_id, ...offer],
      );
    const money = async (query: string) => {
      const { money: sums, results } = await preview(desk, query);
      return { ...sums[0], rows: results.map(({ price, amount }) => [price, amount]) };
    };
    expect(await money("by=P16D")).toMatchObject({
      owed_now: "0.00",
      owed_then: "904.00",
      lost: "1073.50",
      rows: [["1000.00", "904.00"]],
    });
    expect(await money("by=P16D&list=ended")).toMatchObject({ rows: [["1000.00", "1073.50"]] });
    await desk.wait(12);
    expect(await money("by=P1D")).toMatchObject({ owed_now: "2147.00", owed_then: "2147.00" });
  });

  it("is asked for a moment that lies ahead, and is nobody else's", async () => {
    const [desk, other] = [await Desk.open(service), await Desk.open(service)];
    await desk.createActive(desk.periods.weekly);
    expect((await preview(other, "by=P1M")).unpaid).toBe(0);
    for (const query of [
      "",
      "to=2020-01-01T00:00:00Z",
      "by=P9Y",
      "by=P1D&list=all",
      "by=P1D&page=0",
    ])
      expect((await desk.call({ url: `/sandbox/preview/?${query}` })).statusCode).toBe(400);
  });
});

describe("a subscription's next event", () => {
  it("is told with how much else happens until then", async () => {
    const desk = await Desk.open(service);
    const monthly = await desk.createActive();
    const weekly = await desk.createActive(desk.periods.weekly, { phone: "9800000002" });
    expect(await nextOf(desk, weekly)).toEqual({
      next: {
        at: "2026-03-17T18:15:00.000Z",
        new_status: "due",
        reason: "billing_date_passed",
      },
      others: 0,
    });
    expect(await nextOf(desk, monthly)).toMatchObject({ others: 2 });
  });

  it("counts each of very many others once", async () => {
    const desk = await Desk.open(service);
    const monthly = await desk.createActive();
    const weekly = await desk.createActive(desk.periods.weekly, { phone: "9800000002" });
    // Until the monthly one is due these end, and the weekly one is due and then ends.
    await service.pool.query(
      `insert into subscription select (jsonb_populate_record(s, jsonb_build_object(
         'subscription_id', gen_random_uuid(), 'position', s.position + n, 'status', 'due'))).*
         from subscription s, generate_series(1, 1100) n where subscription_id = $1`,
      [weekly],
    );
    expect(await nextOf(desk, monthly)).toMatchObject({ others: 1_101 });
  });

  it("is none where time alone changes nothing, and a checkout's is its end", async () => {
    const desk = await Desk.open(service);
    const id = await desk.createActive(desk.periods.once);
    expect(await nextOf(desk, id)).toEqual({ next: null, others: 0 });
    const { subscription_id } = await desk.create();
    expect((await nextOf(desk, subscription_id)).next?.reason).toBe("abandoned");
    const other = await Desk.open(service);
    const url = `/sandbox/subscriptions/${subscription_id}/next/`;
    expect((await other.call({ url })).statusCode).toBe(404);
  });
});
