import { beforeEach, describe, expect, it } from "vitest";
import { IS_PARTITIONED } from "#tools/testing/database.ts";
import type { AccountProduct } from "#contract/account.ts";
import {
  CATALOGUE_URL,
  CatalogueApi,
  milkInput,
  monthlyInput,
  periodsOf,
  planOf,
} from "../testing/catalogue-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

let catalogue: CatalogueApi;
beforeEach(async () => {
  catalogue = await CatalogueApi.open(service);
});

describe("the catalogue refuses", () => {
  it.each([
    ["0", "a price is more than 0"],
    ["0.00", "a price is more than 0"],
    ["-1", "an amount is not negative"],
    ["1e30", 'write an amount such as "1299.00"'],
    ["9.999", "use at most two decimals"],
    ["1000000000000", "use at most twelve digits before the point"],
    ["१२", 'write an amount such as "1299.00"'],
    [1000, "write the amount as text"],
    [null, "write the amount as text"],
  ])("a price of %j", async (price, text) => {
    const plans = [{ plan_name: "One litre", billing_periods: [{ ...monthlyInput, price }] }];
    const answer = await catalogue.add({ ...milkInput, plans });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { plans: [`0.billing_periods.0.price: ${text}`] },
    ]);
    const product = await catalogue.added();
    const { plan_id } = planOf(product);
    const pbp_id = periodsOf(product)[0]?.pbp_id;
    const edit = await catalogue.change(product, {
      plans: [{ plan_id, billing_periods: [{ pbp_id, price }] }],
    });
    expect(edit.json()).toEqual({ plans: [`0.billing_periods.0.price: ${text}`] });
    expect(await catalogue.read(product)).toEqual(product);
  });

  it("invalid ids of billing periods, invalid days of offers and invalid versions", async () => {
    const product = await catalogue.added();
    const [own] = product.plan;
    for (const pbp_id of ["a\u0000b", "\ud800", "", "x".repeat(101), 1])
      for (const plan of [
        { billing_periods: [{ pbp_id, label: "Mine" }] },
        { period_order: [pbp_id] },
        { new_billing_periods: [{ ...monthlyInput, pbp_id }] },
      ]) {
        const answer = await catalogue.change(product, {
          plans: [{ plan_id: own?.plan_id, ...plan }],
        });
        expect([pbp_id, plan, answer.statusCode]).toEqual([pbp_id, plan, 400]);
      }
    for (const starts_at of ["0000-01-01", "2026-02-30", "-000001-01-01"]) {
      const offers = [{ discount_amount: "1", starts_at, valid_until: "2026-03-01" }];
      const plans = [{ plan_name: "A", billing_periods: [{ ...monthlyInput, offers }] }];
      expect((await catalogue.add({ ...milkInput, plans })).statusCode).toBe(400);
    }
    for (const version of ["", "x", "\u0000", null])
      expect(
        (await catalogue.change({ ...product, version } as AccountProduct, {})).statusCode,
      ).toBe(400);
    expect(await catalogue.read(product)).toEqual(product);
  });

  it("an offer that ends before it begins, a product without plans, unknown fields, and an edit without a version", async () => {
    const offer = { discount_amount: "1", starts_at: "2026-03-02", valid_until: "2026-03-01" };
    const plans = [
      { plan_name: "One litre", billing_periods: [{ ...monthlyInput, offers: [offer] }] },
    ];
    expect((await catalogue.add({ ...milkInput, plans })).json()).toEqual({
      plans: ["0.billing_periods.0.offers.0: valid_until lies before starts_at"],
    });
    expect(Object.keys((await catalogue.add({ name: "Milk", plans: [] })).json())).toEqual([
      "plans",
    ]);
    expect(
      (await catalogue.add({ ...milkInput, image: null, colour: "white" })).json(),
    ).toEqual({
      image: ["There is no such field."],
      colour: ["There is no such field."],
    });
    const product = await catalogue.added();
    const url = `${CATALOGUE_URL}${product.product_id}/`;
    const unversioned = await catalogue.call({
      method: "PATCH",
      url,
      payload: { name: "Curd" },
    });
    expect(unversioned.json()).toEqual({ version: ["This field is required."] });
  });

  it("edits of plans and billing periods of another product, and of a product of another seller", async () => {
    const product = await catalogue.added();
    const other = await catalogue.added({ ...milkInput, name: "Curd" });
    const period = periodsOf(other)[0]?.pbp_id;
    const [own] = product.plan;
    for (const plans of [
      [{ plan_id: planOf(other).plan_id, plan_name: "Mine" }],
      [{ plan_id: own?.plan_id, billing_periods: [{ pbp_id: period, label: "Mine" }] }],
      [{ plan_id: own?.plan_id, billing_periods: [{ pbp_id: period, price: "1.00" }] }],
      [{ plan_id: own?.plan_id, period_order: [period] }],
    ])
      expect((await catalogue.change(product, { plans })).statusCode).toBe(400);
    expect(
      (await catalogue.change(product, { plan_order: [planOf(other).plan_id] })).statusCode,
    ).toBe(400);
    expect([await catalogue.read(product), await catalogue.read(other)]).toEqual([
      product,
      other,
    ]);

    const foreign = await CatalogueApi.open(service);
    const url = `${CATALOGUE_URL}${product.product_id}/`;
    const payload = { version: product.version, name: "Mine" };
    for (const answer of [
      await foreign.call({ url }),
      await foreign.call({ method: "PATCH", url, payload }),
      await catalogue.call({ url: `${CATALOGUE_URL}x/` }),
      await catalogue.call({ method: "PATCH", url: `${CATALOGUE_URL}x/`, payload }),
    ])
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
  });

  // In partitioned tables, a pbp_id is unique only among those of its seller.
  it.skipIf(IS_PARTITIONED)(
    "a new billing period with the pbp_id of another seller",
    async () => {
      const known = await catalogue.added();
      const pbp_id = periodsOf(known)[0]?.pbp_id;
      const foreign = await CatalogueApi.open(service);
      const taken = await foreign.add({
        ...milkInput,
        plans: [{ plan_name: "Mine", billing_periods: [{ ...monthlyInput, pbp_id }] }],
      });
      expect(taken.json()).toEqual({
        detail: "A pbp_id is taken already. Leave it out to get a new one.",
      });
      expect(await catalogue.read(known)).toEqual(known);
    },
  );
});
