import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { INTERVAL_TYPES } from "#contract/names.ts";
import { ProductPage } from "#contract/products.ts";
import { insertCatalogue, type CatalogueProduct } from "./catalogue.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import type { TestSeller } from "../testing/service.ts";

const service = useTestService();

const period = { interval_count: 1, price: "99.50", currency: "NPR", offers: [] };
const product = (changes: Partial<CatalogueProduct> = {}): CatalogueProduct => ({
  name: "Water",
  description: "Jars",
  terms_and_conditions: "Paid ahead",
  features_and_benefits: "Tested",
  vat: { is_vat_active: true, vat_type: "inclusive", vat_percentage: "13.5" },
  images: ["https://shop.example/2.png", "https://shop.example/1.png"],
  plans: [
    {
      plan_name: "Eight jars",
      description: "",
      billing_periods: [
        { ...period, pbp_id: randomUUID(), interval_type: "month", label: "Monthly" },
      ],
    },
  ],
  ...changes,
});

async function sellerWith(products: CatalogueProduct[]): Promise<TestSeller> {
  const seller = await service.createSeller();
  await insertCatalogue(service.pool, seller.seller_id, products, service.clock.now());
  return seller;
}
const listed = async (seller: TestSeller, query = "") =>
  ProductPage.parse((await service.call(seller, { url: `/api/v1/products/${query}` })).json());

describe("list products", () => {
  it("Spec, Product: returns every field with its type", async () => {
    const offer = {
      discount_amount: "10.5",
      starts_at: "2026-03-01",
      valid_until: "2026-03-31",
    };
    const one = product();
    const [plan] = one.plans;
    if (plan?.billing_periods[0]) plan.billing_periods[0].offers = [offer];
    const seller = await sellerWith([one]);
    const [row] = (await listed(seller)).results;
    expect(row).toMatchObject({
      name: "Water",
      type: "simple",
      vat: { is_vat_active: true, vat_type: "inclusive", vat_percentage: 13.5 },
      total_subscribers: "0",
      plan: [
        {
          plan_name: "Eight jars",
          billing_periods: [
            {
              price: "99.50",
              interval_type: "month",
              offers: [{ ...offer, discount_amount: 10.5, is_active: true }],
            },
          ],
        },
      ],
    });
  });

  it("returns images in the order of image_order", async () => {
    const seller = await sellerWith([product()]);
    await service.pool.query(
      "update product_image set image_order = 9 where seller_id = $1 and image_order = 1",
      [seller.seller_id],
    );
    const [row] = (await listed(seller)).results;
    expect(row?.product_image).toEqual([
      { image: "https://shop.example/1.png", image_order: 2 },
      { image: "https://shop.example/2.png", image_order: 9 },
    ]);
  });

  it("Spec choice, visible periods: shows current and limited billing periods, but no archived or past ones", async () => {
    const kinds = {
      plain: {},
      limited: { is_limited: true },
      archived: { is_archived: true },
      past: { is_current: false },
    };
    const seller = await sellerWith([
      product({
        plans: [
          {
            plan_name: "All",
            description: "",
            billing_periods: Object.entries(kinds).map(([label, kind]) => ({
              ...period,
              pbp_id: randomUUID(),
              interval_type: "year",
              label,
              ...kind,
            })),
          },
        ],
      }),
    ]);
    const [row] = (await listed(seller)).results;
    expect(row?.plan[0]?.billing_periods.map((one) => one.label)).toEqual(["plain", "limited"]);
  });

  it("Spec, Product: neither lists nor counts inactive products", async () => {
    const seller = await sellerWith([product(), product({ name: "Old", is_active: false })]);
    const page = await listed(seller);
    expect([page.count, page.results.map((row) => row.name)]).toEqual([1, ["Water"]]);
  });

  it.each(INTERVAL_TYPES)(
    "Spec choice, field values: returns the interval type %s",
    async (interval_type) => {
      const one = product();
      for (const plan of one.plans)
        for (const billing of plan.billing_periods) billing.interval_type = interval_type;
      const [row] = (await listed(await sellerWith([one]))).results;
      expect(row?.plan[0]?.billing_periods[0]?.interval_type).toBe(interval_type);
    },
  );

  it("Spec, GET products: returns the newest first, with a stable order for equal times", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `P${index}`);
    const seller = await sellerWith(names.map((name) => product({ name })));
    const pages = await Promise.all([
      listed(seller, "?page_size=20"),
      listed(seller, "?page=2&page_size=20"),
    ]);
    expect(pages.flatMap(({ results }) => results.map((row) => row.name))).toEqual(
      names.toReversed(),
    );
    expect(pages[0]?.next).toBe("http://billing.test/api/v1/products/?page=2&page_size=20");
  });

  it("Spec, Authentication 5: works before the account is verified", async () => {
    const seller = await service.createSeller({ kyc_verified: false });
    expect((await listed(seller)).count).toBe(0);
  });
});

describe("total_subscribers", () => {
  it("counts, as a string, the recurring subscriptions that are active, due or pending cancellation", async () => {
    const api = await SellerApi.open(service);
    const total = async () => (await listed(api.seller)).results[0]?.total_subscribers;
    await api.createActive(api.periods.once);
    expect(await total()).toBe("0");
    const ids = [
      await api.createActive(api.periods.monthly, { phone: "9800000002" }),
      await api.createActive(api.periods.monthly, { phone: "9800000003" }),
    ];
    await api.create(api.periods.monthly, { phone: "9800000004" });
    await api.cancel(ids[0] ?? "");
    expect(await total()).toBe("2");
    await api.wait(35);
    expect((await api.read(ids[1] ?? "")).status).toBe("due");
    expect(await total()).toBe("1");
    await api.wait(10);
    expect(await total()).toBe("0");
  });
});
