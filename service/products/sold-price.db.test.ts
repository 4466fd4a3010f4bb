import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { BillingPeriod, Product } from "#contract/products.ts";
import { ProductPage } from "#contract/products.ts";
import { countPagesRead } from "#tools/testing/pages-read.ts";
import { transaction, type Database } from "../db/database.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { archivePeriod, editProduct } from "./edit.ts";
import { ProductChange } from "./input.ts";
import { CatalogueError, changePrice } from "./price.ts";

const service = useTestService();
let api: SellerApi;
let product: Product;
let periods: BillingPeriod[];

beforeEach(async () => {
  api = await SellerApi.open(service);
  await read();
});

async function read() {
  const answer = await api.call({ url: "/api/v1/products/" });
  const [listed] = ProductPage.parse(answer.json()).results;
  product = listed ?? { ...product, plan: [] };
  periods = product.plan.flatMap((plan) => plan.billing_periods);
}

async function edit(change: object) {
  const place = { sellerId: api.seller.seller_id, productId: product.product_id };
  const input = ProductChange.parse(change);
  await transaction(service.pool, (database) =>
    editProduct(database, place, input, service.clock.now()),
  );
  await read();
}

/** Changes the first plan's monthly period. */
const editMonthly = (change: object) =>
  edit({
    plans: [
      {
        plan_id: product.plan[0]?.plan_id,
        billing_periods: [{ pbp_id: monthly().pbp_id, ...change }],
      },
    ],
  });
const monthly = () => periods.find(({ label }) => label === "Monthly") as BillingPeriod;

const today = "2026-03-10T06:00:00Z";
const days = [today, "2026-03-20T06:00:00Z", "2026-04-05T06:00:00Z"];
const offer = (
  discount_amount: string,
  starts_at = "2026-03-15",
  valid_until = "2026-03-31",
) => ({
  discount_amount,
  starts_at,
  valid_until,
});
const vat = (vat_percentage: string, vat_type = "exclusive") => ({
  is_vat_active: Number(vat_percentage) > 0,
  vat_type,
  vat_percentage,
});

/** The amount that the page of a link asks, on each of the days. */
async function asked(id: string): Promise<(string | undefined)[]> {
  const totals: (string | undefined)[] = [];
  for (const day of days) {
    service.clock.set(day);
    const { body } = await service.call(null, { url: `/pay/${id}?early=1` });
    totals.push(
      /To pay NPR ([\d,.]+)/.exec(body.replace(/<[^>]*>|\s+/g, " ").replace(/ +/g, " "))?.[1],
    );
  }
  service.clock.set(today);
  return totals;
}

describe("the price of a sold billing period", () => {
  test.each([
    ["another price", { price: "1200.00" }, ["1,356.00", "1,356.00", "1,356.00"]],
    ["an offer", { offers: [offer("200.00")] }, ["1,130.00", "904.00", "1,130.00"]],
  ])(
    "stays the same: %s makes a new billing period for new buyers",
    async (_name, change, expected) => {
      const sold = monthly();
      const paid = await api.createActive();
      const pending = (await api.create(sold.pbp_id, { phone: "9800000002" })).subscription_id;
      await editMonthly(change);
      expect(monthly().pbp_id).not.toBe(sold.pbp_id);
      expect(
        (await api.requestCreate(sold.pbp_id, { phone: "9800000003" })).json(),
      ).toHaveProperty("pbp_id");
      for (const id of [paid, pending]) {
        expect(await asked(id)).toEqual(["1,130.00", "1,130.00", "1,130.00"]);
        expect((await api.read(id)).product).toMatchObject({
          pbp_id: sold.pbp_id,
          price: "1000.00",
        });
      }
      const now = (await api.create(monthly().pbp_id, { phone: "9800000003" })).subscription_id;
      expect(await asked(now)).toEqual(expected);
    },
  );

  test("stays the same: a new VAT rate of the product replaces sold billing periods and changes unsold ones", async () => {
    const [sold, unsold] = [monthly(), periods.find(({ label }) => label === "yearly")];
    const id = await api.createActive();
    await edit({ vat: vat("5"), plans: [] });
    expect(product.vat).toMatchObject({ vat_percentage: 5 });
    expect(monthly().pbp_id).not.toBe(sold.pbp_id);
    expect(periods.map(({ pbp_id }) => pbp_id)).toContain(unsold?.pbp_id);
    expect(await asked(id)).toEqual(["1,130.00", "1,130.00", "1,130.00"]);
    for (const [index, pbp_id] of [monthly().pbp_id, unsold?.pbp_id ?? ""].entries()) {
      const created = await api.create(pbp_id, { phone: `980000001${index}` });
      expect((await asked(created.subscription_id))[0]).toBe(["1,050.00", "10,500.00"][index]);
    }
  });

  test("stays the same: a change of both price and VAT replaces the billing period once", async () => {
    await api.createActive();
    const plan_id = product.plan[0]?.plan_id;
    const { pbp_id } = monthly();
    await edit({
      vat: vat("0"),
      plans: [{ plan_id, billing_periods: [{ pbp_id, price: "900.00", label: "Monthly" }] }],
    });
    const { rows } = await service.pool.query<{ replaces: string }>(
      "select replaces from billing_period where seller_id = $1 and replaces is not null",
      [api.seller.seller_id],
    );
    expect(rows).toEqual([{ replaces: pbp_id }]);
    const created = await api.create(monthly().pbp_id, { phone: "9800000002" });
    expect((await asked(created.subscription_id))[0]).toBe("900.00");
  });

  test("stays the same: changing the description or the limited badge replaces no billing period", async () => {
    await editMonthly({ offers: [offer("50")] });
    const before = monthly();
    await api.createActive();
    await edit({ description: "Fresh", vat: vat("13.00") });
    await editMonthly({
      label: "Monthly",
      price: "1000",
      is_limited: true,
      offers: [offer("50.00")],
    });
    expect(monthly()).toEqual({ ...before, offers: [expect.anything()], is_limited: true });
  });

  test("stays the same: restoring a saved sandbox state restores the billing period of that time", async () => {
    const id = await api.createActive();
    const sold = monthly();
    const saved = await api.post("/sandbox/states/", { name: "Before" });
    await edit({ vat: vat("5") });
    await editMonthly({ price: "1500.00" });
    await api.create(monthly().pbp_id, { phone: "9800000002" });
    const url = `/sandbox/states/${saved.json<{ id: number }>().id}/restore/`;
    expect((await api.post(url)).statusCode).toBe(200);
    await read();
    expect(monthly()).toEqual({ ...sold, offers: [] });
    expect(product.vat.vat_percentage).toBe(13);
    expect(await asked(id)).toEqual(["1,130.00", "1,130.00", "1,130.00"]);
    await editMonthly({ price: "1500.00" });
    expect(monthly().pbp_id).not.toBe(sold.pbp_id);
  });

  test("is changed by one of three concurrent requests; a concurrent buyer pays the old price or is refused", async () => {
    await api.createActive();
    const { pbp_id } = monthly();
    const place = { sellerId: api.seller.seller_id, pbpId: pbp_id };
    const repriced = ["1100.00", "1200.00", "1300.00"].map((price) =>
      transaction(service.pool, (database) => changePrice(database, place, { price })),
    );
    const bought = [1, 2, 3, 4].map((buyer) =>
      api.requestCreate(pbp_id, { phone: `981000000${buyer}` }),
    );
    const outcomes = await Promise.allSettled(repriced);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    for (const answer of await Promise.all(bought)) {
      const { subscription_id: id } = answer.json<{ subscription_id?: string }>();
      if (id) expect(await asked(id)).toEqual(["1,130.00", "1,130.00", "1,130.00"]);
      else
        expect([answer.statusCode, answer.json()]).toEqual([
          400,
          { pbp_id: [expect.anything()] },
        ]);
    }
    await read();
    expect(periods.filter(({ label }) => label === "Monthly")).toHaveLength(1);
  });

  test("cannot be changed once the billing period is archived", async () => {
    await api.createActive();
    const { pbp_id } = monthly();
    await archivePeriod(service.pool, api.seller.seller_id, pbp_id);
    const plan_id = product.plan[0]?.plan_id;
    const change = { plans: [{ plan_id, billing_periods: [{ pbp_id, price: "900.00" }] }] };
    await expect(edit(change)).rejects.toThrow(CatalogueError);
  });

  const amount = fc.integer({ min: 1, max: 300_000 }).map((cents) => (cents / 100).toFixed(2));
  const edits = fc.oneof(
    fc.record({ price: amount }).map((change) => ({ period: change })),
    fc
      .record({
        offers: fc.array(
          fc.record({
            discount_amount: amount,
            starts_at: fc.constantFrom("2026-03-01", "2026-03-15"),
            valid_until: fc.constantFrom("2026-03-19", "2026-04-30"),
            is_active: fc.boolean(),
          }),
          { maxLength: 2 },
        ),
      })
      .map((change) => ({ period: change })),
    fc
      .record({ is_archived: fc.boolean(), is_current: fc.boolean() })
      .map((change) => ({ period: change })),
    fc
      .constantFrom("0", "5", "13", "13.5")
      .chain((rate) =>
        fc
          .constantFrom("inclusive", "exclusive")
          .map((type) => ({ product: { vat: vat(rate, type) } })),
      ),
    fc.boolean().map((is_active) => ({ product: { is_active } })),
  );

  test(
    "stays the same in every checkout link after random changes of the catalogue",
    { timeout: 60_000 },
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ edit: edits, place: fc.nat(5), sells: fc.boolean() }), {
            minLength: 1,
            maxLength: 5,
          }),
          async (steps) => {
            service.clock.set(today);
            api = await SellerApi.open(service);
            await read();
            const links = new Map<string, (string | undefined)[]>();
            const sell = async (most: number) => {
              for (const { pbp_id } of periods.slice(-most)) {
                const phone = `98${String(links.size).padStart(8, "0")}`;
                const { subscription_id: id } = await api.create(pbp_id, { phone });
                if (links.size % 2 === 0) await api.pay(id);
                links.set(id, await asked(id));
              }
            };
            await sell(periods.length);
            for (const step of steps) {
              const { rows: all } = await service.pool.query<{
                pbp_id: string;
                plan_id: string;
              }>(
                `select pbp_id, plan_id from billing_period where seller_id = $1
               order by period_order, pbp_id`,
                [api.seller.seller_id],
              );
              const one = all[step.place % all.length];
              const change =
                "product" in step.edit
                  ? step.edit.product
                  : {
                      plans: [
                        {
                          plan_id: one?.plan_id,
                          billing_periods: [{ pbp_id: one?.pbp_id, ...step.edit.period }],
                        },
                      ],
                    };
              await edit(change).catch((error: unknown) => {
                if (!(error instanceof CatalogueError)) throw error;
              });
              for (const [id, before] of links) expect(await asked(id)).toEqual(before);
              if (step.sells) await sell(2);
            }
          },
        ),
        { numRuns: 8 },
      ),
  );
});

test("changing the price of an unsold billing period reads no subscriptions of other billing periods", async () => {
  const { subscription_id } = await api.create(monthly().pbp_id);
  const { pool } = service;
  const { seller_id: sellerId } = api.seller;
  const { rows } = await pool.query<{ columns: string }>(
    `select string_agg(attname, ', ') as columns from pg_attribute
     where attrelid = 'subscription'::regclass and attnum > 0 and not attisdropped
       and attname not in ('subscription_id', 'position', 'status')`,
  );
  const columns = rows[0]?.columns ?? "";
  await pool.query(
    `insert into subscription (subscription_id, position, status, ${columns})
     select gen_random_uuid(), position + n, 'inactive', ${columns}
     from subscription, generate_series(1, 20000) n where seller_id = $1 and subscription_id = $2`,
    [sellerId, subscription_id],
  );
  await pool.query("vacuum analyze subscription");
  const unsold = periods.find(({ pbp_id }) => pbp_id !== monthly().pbp_id) as BillingPeriod;
  const change = (database: Database) =>
    changePrice(database, { sellerId, pbpId: unsold.pbp_id }, { price: "77.00" });
  expect(Math.max(...(await countPagesRead(pool, change)))).toBeLessThan(100);
  expect(await change(pool)).toBe(unsold.pbp_id);
});
