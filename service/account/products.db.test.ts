import { beforeEach, describe, expect, it } from "vitest";
import { AccountProductPage, type AccountProduct } from "#contract/account.ts";
import { ProductPage } from "#contract/products.ts";
import { archivePeriod } from "../products/edit.ts";
import {
  CATALOGUE_URL,
  CatalogueApi,
  milkInput,
  monthlyInput,
  periodsOf,
  planOf,
} from "../testing/catalogue-api.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

let api: SellerApi;
let catalogue: CatalogueApi;
beforeEach(async () => {
  api = await SellerApi.open(service);
  catalogue = await CatalogueApi.open(service, api.seller);
});

const onSale = async () => {
  const { results } = ProductPage.parse(
    (await catalogue.call({ url: "/api/v1/products/" })).json(),
  );
  return results.flatMap(({ name, plan }) =>
    plan.flatMap(({ billing_periods }) =>
      billing_periods.map(({ label, price }) => `${name}: ${label} ${price}`),
    ),
  );
};

describe("the catalogue", () => {
  it("accepts a product with plans, billing periods and offers, and puts the product on sale at once", async () => {
    const offer = {
      discount_amount: "100",
      starts_at: "2026-03-01",
      valid_until: "2026-03-31",
    };
    const vat = { is_vat_active: true, vat_type: "exclusive", vat_percentage: "13" };
    const plans = [
      { plan_name: "One litre", billing_periods: [{ ...monthlyInput, offers: [offer] }] },
    ];
    const product = await catalogue.added({ ...milkInput, vat, plans });
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
    expect(await catalogue.read(product)).toEqual(product);
    const created = await api.requestCreate(periodsOf(product)[0]?.pbp_id ?? "");
    expect(created.statusCode).toBe(201);
  });

  it("lists all products newest first, including products off sale and archived billing periods", async () => {
    const first = await catalogue.added();
    const second = await catalogue.added({ ...milkInput, name: "Curd", is_active: false });
    const page = AccountProductPage.parse(
      (await catalogue.call({ url: `${CATALOGUE_URL}?page_size=2` })).json(),
    );
    expect(page).toMatchObject({
      count: 3,
      next: `http://billing.test${CATALOGUE_URL}?page=2&page_size=2`,
    });
    expect(page.results.map(({ name }) => name)).toEqual(["Curd", "Milk"]);
    expect(await onSale()).not.toContain("Curd: Monthly 1000.00");
    await catalogue.changed(second, { is_active: true });
    expect(await onSale()).toContain("Curd: Monthly 1000.00");
    const last = AccountProductPage.parse(
      (await catalogue.call({ url: `${CATALOGUE_URL}?page=2&page_size=2` })).json(),
    );
    expect(last.results[0]?.plan[0]?.billing_periods.map((one) => one.is_archived)).toContain(
      true,
    );
    expect(first.product_id).not.toBe(second.product_id);
  });

  it("renames a product and a plan, adds plans and billing periods, and reorders both", async () => {
    const product = await catalogue.added();
    const plan = planOf(product);
    const more = await catalogue.changed(product, {
      name: "Fresh milk",
      plans: [
        {
          plan_id: plan.plan_id,
          plan_name: "A litre",
          new_billing_periods: [{ ...monthlyInput, label: "Yearly", interval_type: "year" }],
        },
      ],
      new_plans: [{ plan_name: "Half a litre", billing_periods: [monthlyInput] }],
    });
    expect(more.name).toBe("Fresh milk");
    expect(more.plan.map(({ plan_name }) => plan_name)).toEqual(["A litre", "Half a litre"]);
    const [month, year] = planOf(more).billing_periods;
    const ordered = await catalogue.changed(more, {
      plan_order: [more.plan[1]?.plan_id],
      plans: [{ plan_id: plan.plan_id, period_order: [year?.pbp_id, month?.pbp_id] }],
    });
    expect(ordered.plan.map(({ plan_name }) => plan_name)).toEqual(["Half a litre", "A litre"]);
    expect(planOf(ordered, 1).billing_periods.map(({ label }) => label)).toEqual([
      "Yearly",
      "Monthly",
    ]);
  });

  it("lists only products on sale, or only products off sale, with the filter is_active", async () => {
    const curd = await catalogue.added({ ...milkInput, name: "Curd" });
    await catalogue.changed(curd, { is_active: false });
    const names = async (filter: string) => {
      const url = `${CATALOGUE_URL}?is_active=${filter}`;
      const { count, results } = AccountProductPage.parse(
        (await catalogue.call({ url })).json(),
      );
      expect(count).toBe(results.length);
      return results.map(({ name }) => name);
    };
    expect(await names("false")).toEqual(["Curd"]);
    expect(await names("true")).not.toContain("Curd");
    const refused = await catalogue.call({ url: `${CATALOGUE_URL}?is_active=perhaps` });
    expect(refused.statusCode).toBe(400);
  });

  it("puts a billing period with a new price at the position that the order gives the replaced period", async () => {
    const product = await catalogue.added({
      name: "Milk",
      plans: [
        {
          plan_name: "One litre",
          billing_periods: [monthlyInput, { ...monthlyInput, label: "Yearly" }],
        },
      ],
    });
    const [month, year] = periodsOf(product).map(({ pbp_id }) => pbp_id);
    await api.createActive(month ?? "");
    const changed = await catalogue.changed(product, {
      plans: [
        {
          plan_id: planOf(product).plan_id,
          billing_periods: [{ pbp_id: month, price: "1200.00" }],
          new_billing_periods: [{ ...monthlyInput, pbp_id: "pbp_last", label: "Weekly" }],
          period_order: [year, month, "pbp_last"],
        },
      ],
    });
    const shown = periodsOf(changed).filter(({ is_archived }) => !is_archived);
    expect(shown.map(({ label, price }) => `${label} ${price}`)).toEqual([
      "Yearly 1000.00",
      "Monthly 1200.00",
      "Weekly 1000.00",
    ]);
  });

  it("keeps a sold price: a new price archives the billing period and adds a new billing period", async () => {
    const product = await catalogue.added();
    const { plan_id } = planOf(product);
    const pbp_id = periodsOf(product)[0]?.pbp_id ?? "";
    const subscription = await api.createActive(pbp_id);
    const dearer = await catalogue.changed(product, {
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
    const taxed = await catalogue.changed(dearer, { vat });
    expect(
      periodsOf(taxed).map(({ price, vat: { is_vat_active } }) => [price, is_vat_active]),
    ).toEqual(
      expect.arrayContaining([
        ["1000.00", false],
        ["1250.00", true],
      ]),
    );
  });

  it("archives the last billing period on sale only if the same edit takes the product off sale", async () => {
    const product = await catalogue.added();
    const { plan_id } = planOf(product);
    const pbp_id = periodsOf(product)[0]?.pbp_id;
    const archive = { plans: [{ plan_id, billing_periods: [{ pbp_id, is_archived: true }] }] };
    const refused = await catalogue.change(product, archive);
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        detail:
          "This would archive the last billing period on sale; add another one first, or take the product off sale.",
      },
    ]);
    expect(await catalogue.read(product)).toEqual(product);
    const off = await catalogue.changed(product, { ...archive, is_active: false });
    expect(periodsOf(off)).toMatchObject([{ is_archived: true }]);
  });
});

describe("two edits of one version of a product", () => {
  it("do not both apply: the later edit gets a 409 and overwrites nothing", async () => {
    const product = await catalogue.added();
    const both = await Promise.all([
      catalogue.change(product, { name: "Cow's milk" }),
      catalogue.change(product, { name: "Goat's milk", description: "From Palpa" }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const winner = both.find(({ statusCode }) => statusCode === 200)?.json<AccountProduct>();
    expect(await catalogue.read(product)).toEqual(winner);
    const loser = both.find(({ statusCode }) => statusCode === 409);
    expect(loser?.json()).toEqual({
      detail:
        "The product was changed in the meantime. Read it again; nothing was overwritten.",
    });
    const again = await catalogue.changed(await catalogue.read(product), {
      name: "Buffalo's milk",
    });
    expect(again.name).toBe("Buffalo's milk");
  });

  it("conflict even if the first edit was made on the operator's command line", async () => {
    const product = await catalogue.added();
    const pbp_id = periodsOf(product)[0]?.pbp_id ?? "";
    await archivePeriod(service.pool, catalogue.seller.seller_id, pbp_id);
    expect((await catalogue.change(product, { name: "Curd" })).statusCode).toBe(409);
  });
});
