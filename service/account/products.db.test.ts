import { beforeEach, describe, expect, it } from "vitest";
import { AccountProduct, AccountProductPage } from "#contract/account.ts";
import { ProductPage } from "#contract/products.ts";
import { archivePeriod } from "../products/edit.ts";
import { issueKey } from "../sellers/key-store.ts";
import { SellerApi } from "../testing/seller-api.ts";
import type { TestRequest } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const URL = "/account/v1/products/";

const monthly = {
  interval_type: "month",
  interval_count: 1,
  label: "Monthly",
  price: "1000.00",
};
const milk = {
  name: "Milk",
  plans: [{ plan_name: "One litre", billing_periods: [monthly] }],
};

let api: SellerApi;
let key: string;
beforeEach(async () => {
  api = await SellerApi.open(service);
  key = await keyOf(api);
});

/** A key that may change the catalogue and sell from it. */
const keyOf = ({ seller: { seller_id } }: SellerApi) =>
  issueKey(service.pool, {
    seller_id,
    mode: "test",
    created_at: service.clock.now(),
    scopes: ["read", "write", "account"],
  });

const call = (request: TestRequest) => service.call({ ...api.seller, key }, request);
const add = (payload: object) => call({ method: "POST", url: URL, payload });
const change = ({ product_id, version }: AccountProduct, payload: object) =>
  call({ method: "PATCH", url: `${URL}${product_id}/`, payload: { version, ...payload } });

async function added(payload: object = milk): Promise<AccountProduct> {
  const answer = await add(payload);
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return AccountProduct.parse(answer.json());
}
async function changed(product: AccountProduct, payload: object): Promise<AccountProduct> {
  const answer = await change(product, payload);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return AccountProduct.parse(answer.json());
}
const read = async ({ product_id }: AccountProduct) =>
  AccountProduct.parse((await call({ url: `${URL}${product_id}/` })).json());
const onSale = async () => {
  const { results } = ProductPage.parse((await call({ url: "/api/v1/products/" })).json());
  return results.flatMap(({ name, plan }) =>
    plan.flatMap(({ billing_periods }) =>
      billing_periods.map(({ label, price }) => `${name}: ${label} ${price}`),
    ),
  );
};
const planOf = (product: AccountProduct, index = 0) => {
  const plan = product.plan[index];
  if (!plan) throw new Error("the product has no such plan");
  return plan;
};
const periodsOf = (product: AccountProduct) =>
  product.plan.flatMap(({ billing_periods }) => billing_periods);

describe("the catalogue", () => {
  it("takes a product with plans, periods and offers, and sells it at once", async () => {
    const offer = {
      discount_amount: "100",
      starts_at: "2026-03-01",
      valid_until: "2026-03-31",
    };
    const vat = { is_vat_active: true, vat_type: "exclusive", vat_percentage: "13" };
    const plans = [
      { plan_name: "One litre", billing_periods: [{ ...monthly, offers: [offer] }] },
    ];
    const product = await added({ ...milk, vat, plans });
    expect(product).toMatchObject({
      name: "Milk",
      is_active: true,
      vat: { ...vat, vat_percentage: 13 },
      plan: [
        {
          billing_periods: [
            {
              price: "1000.00",
              currency: "NPR",
              replaces: null,
              offers: [{ is_active: true }],
            },
          ],
        },
      ],
    });
    expect(await onSale()).toContain("Milk: Monthly 1000.00");
    expect(await read(product)).toEqual(product);
    const created = await api.requestCreate(periodsOf(product)[0]?.pbp_id ?? "");
    expect(created.statusCode).toBe(201);
  });

  it("lists every product newest first, also those off sale, with archived periods", async () => {
    const first = await added();
    const second = await added({ ...milk, name: "Curd", is_active: false });
    const page = AccountProductPage.parse((await call({ url: `${URL}?page_size=2` })).json());
    expect(page).toMatchObject({
      count: 3,
      next: `http://billing.test${URL}?page=2&page_size=2`,
    });
    expect(page.results.map(({ name }) => name)).toEqual(["Curd", "Milk"]);
    expect(await onSale()).not.toContain("Curd: Monthly 1000.00");
    await changed(second, { is_active: true });
    expect(await onSale()).toContain("Curd: Monthly 1000.00");
    const last = AccountProductPage.parse(
      (await call({ url: `${URL}?page=2&page_size=2` })).json(),
    );
    expect(last.results[0]?.plan[0]?.billing_periods.map((one) => one.is_archived)).toContain(
      true,
    );
    expect(first.product_id).not.toBe(second.product_id);
  });

  it("changes names, adds plans and periods, and orders them", async () => {
    const product = await added();
    const plan = planOf(product);
    const more = await changed(product, {
      name: "Fresh milk",
      plans: [
        {
          plan_id: plan.plan_id,
          plan_name: "A litre",
          new_billing_periods: [{ ...monthly, label: "Yearly", interval_type: "year" }],
        },
      ],
      new_plans: [{ plan_name: "Half a litre", billing_periods: [monthly] }],
    });
    expect(more.name).toBe("Fresh milk");
    expect(more.plan.map(({ plan_name }) => plan_name)).toEqual(["A litre", "Half a litre"]);
    const [month, year] = planOf(more).billing_periods;
    const ordered = await changed(more, {
      plan_order: [more.plan[1]?.plan_id],
      plans: [{ plan_id: plan.plan_id, period_order: [year?.pbp_id, month?.pbp_id] }],
    });
    expect(ordered.plan.map(({ plan_name }) => plan_name)).toEqual(["Half a litre", "A litre"]);
    expect(planOf(ordered, 1).billing_periods.map(({ label }) => label)).toEqual([
      "Yearly",
      "Monthly",
    ]);
  });

  it("keeps a sold price: a new one archives the period and puts another in its place", async () => {
    const product = await added();
    const { plan_id } = planOf(product);
    const pbp_id = periodsOf(product)[0]?.pbp_id ?? "";
    const subscription = await api.createActive(pbp_id);
    const dearer = await changed(product, {
      plans: [{ plan_id, billing_periods: [{ pbp_id, price: "1250.00" }] }],
    });
    expect(
      periodsOf(dearer).map(({ price, is_archived, replaces }) => [
        price,
        is_archived,
        replaces,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ["1000.00", true, null],
        ["1250.00", false, pbp_id],
      ]),
    );
    expect(await onSale()).toContain("Milk: Monthly 1250.00");
    expect((await api.read(subscription)).product.price).toBe("1000.00");
    const vat = { is_vat_active: true, vat_type: "exclusive", vat_percentage: "13" };
    const taxed = await changed(dearer, { vat });
    expect(
      periodsOf(taxed).map(({ price, vat: { is_vat_active } }) => [price, is_vat_active]),
    ).toEqual(
      expect.arrayContaining([
        ["1000.00", false],
        ["1250.00", true],
      ]),
    );
  });

  it("does not archive the last period on sale, but takes the whole product off sale", async () => {
    const product = await added();
    const { plan_id } = planOf(product);
    const pbp_id = periodsOf(product)[0]?.pbp_id;
    const archive = { plans: [{ plan_id, billing_periods: [{ pbp_id, is_archived: true }] }] };
    const refused = await change(product, archive);
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        detail:
          "This would archive the last billing period on sale; add another one first, or take the product off sale.",
      },
    ]);
    expect(await read(product)).toEqual(product);
    const off = await changed(product, { ...archive, is_active: false });
    expect(periodsOf(off)).toMatchObject([{ is_archived: true }]);
  });
});

describe("two people who edit one product", () => {
  it("are told apart: the later one is refused, and nothing is overwritten", async () => {
    const product = await added();
    const both = await Promise.all([
      change(product, { name: "Cow's milk" }),
      change(product, { name: "Goat's milk", description: "From Palpa" }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const winner = both.find(({ statusCode }) => statusCode === 200)?.json<AccountProduct>();
    expect(await read(product)).toEqual(winner);
    const loser = both.find(({ statusCode }) => statusCode === 409);
    expect(loser?.json()).toEqual({
      detail:
        "The product was changed in the meantime. Read it again; nothing was overwritten.",
    });
    const again = await changed(await read(product), { name: "Buffalo's milk" });
    expect(again.name).toBe("Buffalo's milk");
  });

  it("also see a change of the operator's command line", async () => {
    const product = await added();
    const pbp_id = periodsOf(product)[0]?.pbp_id ?? "";
    await archivePeriod(service.pool, api.seller.seller_id, pbp_id);
    expect((await change(product, { name: "Curd" })).statusCode).toBe(409);
  });
});

describe("what the catalogue cannot take is refused in words", () => {
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
    const plans = [{ plan_name: "One litre", billing_periods: [{ ...monthly, price }] }];
    const answer = await add({ ...milk, plans });
    expect([answer.statusCode, answer.json()]).toEqual([
      400,
      { plans: [`0.billing_periods.0.price: ${text}`] },
    ]);
    const product = await added();
    const { plan_id } = planOf(product);
    const pbp_id = periodsOf(product)[0]?.pbp_id;
    const edit = await change(product, {
      plans: [{ plan_id, billing_periods: [{ pbp_id, price }] }],
    });
    expect(edit.json()).toEqual({ plans: [`0.billing_periods.0.price: ${text}`] });
    expect(await read(product)).toEqual(product);
  });

  it("an offer that ends before it begins, no plan, an unknown field, no version", async () => {
    const offer = { discount_amount: "1", starts_at: "2026-03-02", valid_until: "2026-03-01" };
    const plans = [
      { plan_name: "One litre", billing_periods: [{ ...monthly, offers: [offer] }] },
    ];
    expect((await add({ ...milk, plans })).json()).toEqual({
      plans: ["0.billing_periods.0.offers.0: valid_until lies before starts_at"],
    });
    expect(Object.keys((await add({ name: "Milk", plans: [] })).json())).toEqual(["plans"]);
    expect((await add({ ...milk, images: [], colour: "white" })).json()).toEqual({
      images: ["There is no such field."],
      colour: ["There is no such field."],
    });
    const product = await added();
    const url = `${URL}${product.product_id}/`;
    const unversioned = await call({ method: "PATCH", url, payload: { name: "Curd" } });
    expect(unversioned.json()).toEqual({ version: ["This field is required."] });
  });

  it("parts of another product or seller", async () => {
    const product = await added();
    const other = await added({ ...milk, name: "Curd" });
    const period = periodsOf(other)[0]?.pbp_id;
    const [own] = product.plan;
    for (const plans of [
      [{ plan_id: planOf(other).plan_id, plan_name: "Mine" }],
      [{ plan_id: own?.plan_id, billing_periods: [{ pbp_id: period, label: "Mine" }] }],
      [{ plan_id: own?.plan_id, billing_periods: [{ pbp_id: period, price: "1.00" }] }],
      [{ plan_id: own?.plan_id, period_order: [period] }],
    ])
      expect((await change(product, { plans })).statusCode).toBe(400);
    expect((await change(product, { plan_order: [planOf(other).plan_id] })).statusCode).toBe(
      400,
    );
    expect([await read(product), await read(other)]).toEqual([product, other]);

    const stranger = await SellerApi.open(service);
    const foreign = { ...stranger.seller, key: await keyOf(stranger) };
    const url = `${URL}${product.product_id}/`;
    const payload = { version: product.version, name: "Mine" };
    for (const answer of [
      await service.call(foreign, { url }),
      await service.call(foreign, { method: "PATCH", url, payload }),
      await call({ url: `${URL}x/` }),
      await call({ method: "PATCH", url: `${URL}x/`, payload }),
    ])
      expect([answer.statusCode, answer.json()]).toEqual([404, { detail: "Not found." }]);
    const taken = await service.call(foreign, {
      method: "POST",
      url: URL,
      payload: {
        ...milk,
        plans: [{ plan_name: "Mine", billing_periods: [{ ...monthly, pbp_id: period }] }],
      },
    });
    expect(taken.json()).toEqual({
      detail: "A pbp_id is taken already. Leave it out to get a new one.",
    });
    expect(await read(other)).toEqual(other);
  });
});
