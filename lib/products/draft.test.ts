import { describe, expect, test } from "vitest";
import type { AccountProduct } from "#contract/account.ts";
import {
  amountProblem,
  draftOf,
  emptyOffer,
  emptyPeriod,
  emptyProduct,
  isPlanFull,
  movedBy,
  type PeriodDraft,
} from "./draft.ts";
import { newProductOf, productChangeOf, ProductInput } from "./draft-input.ts";

test.each([
  ["1200", null],
  [" 1200.50 ", null],
  ["0.01", null],
  ["999999999999.99", null],
  ["", "missing"],
  ["0", "zero"],
  ["0.00", "zero"],
  ["-1", "negative"],
  ["−1", "negative"],
  ["1e30", "format"],
  ["NPR 5", "format"],
  ["1.", "format"],
  ["1.2.3", "format"],
  ["Infinity", "format"],
  ["1.234", "decimals"],
  ["1,200", "comma"],
  ["1.200,50", "comma"],
  ["१२००", "digits"],
  ["1२00", "digits"],
  ["1000000000000", "large"],
])("the amount %j has the problem %s", (text, problem) => {
  expect(amountProblem(text)).toBe(problem);
});

const filled = () => ({
  ...emptyProduct("NPR"),
  name: "Internet",
  plans: emptyProduct("NPR").plans.map((plan) => ({
    ...plan,
    plan_name: "Standard",
    periods: plan.periods.map((period) => ({ ...period, label: "Monthly", price: "1200" })),
  })),
});

describe("a new product", () => {
  test("is sent with the five fields of the short form and default values for the other fields", () => {
    const parsed = ProductInput.parse({ ...filled(), vat: "exclusive" });
    expect(newProductOf(parsed)).toEqual({
      name: "Internet",
      description: "",
      features_and_benefits: "",
      terms_and_conditions: "",
      images: [],
      vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: "13" },
      plans: [
        {
          plan_name: "Standard",
          description: "",
          billing_periods: [
            {
              interval_type: "month",
              interval_count: 1,
              label: "Monthly",
              price: "1200",
              currency: "NPR",
              is_archived: false,
              offers: [],
            },
          ],
        },
      ],
    });
  });

  test("is refused with a message for each invalid field", () => {
    const [plan] = filled().plans;
    const period: PeriodDraft = {
      ...emptyPeriod("NPR"),
      label: "Monthly",
      price: "0",
      interval_count: "1.5",
      offers: [
        { ...emptyOffer("2026-11-26"), discount_amount: "5", valid_until: "2026-11-25" },
      ],
    };
    const refused = ProductInput.safeParse({
      ...filled(),
      name: " ",
      vat: "inclusive",
      vat_percentage: "101",
      plans: [{ ...plan, periods: [period] }],
    });
    expect(refused.error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual(
      expect.arrayContaining([
        ["name", "products.form.problem.missing"],
        ["plans.0.periods.0.price", "products.form.amount.zero"],
        ["plans.0.periods.0.offers.0.valid_until", "products.form.problem.days"],
      ]),
    );
  });
});

describe("the change of a product", () => {
  const vat = { is_vat_active: false, vat_type: "inclusive", vat_percentage: 0 };
  const saved = {
    product_id: "p",
    version: "v1",
    name: "Internet",
    description: "",
    features_and_benefits: "",
    terms_and_conditions: "",
    vat,
    product_image: [
      { image: "https://billing.test/b", image_order: 2 },
      { image: "https://billing.test/a", image_order: 1 },
    ],
    plan: [
      {
        plan_id: "plan",
        plan_name: "Standard",
        description: "",
        billing_periods: ["pbp_a", "pbp_b"].map((pbp_id) => ({
          pbp_id,
          interval_type: "month",
          interval_count: 1,
          label: pbp_id,
          price: "1000.00",
          currency: "NPR",
          is_current: true,
          is_limited: false,
          is_archived: false,
          offers: [],
          replaces: null,
          vat,
        })),
      },
    ],
  } as unknown as AccountProduct;
  const changeOf = (change: (periods: PeriodDraft[]) => PeriodDraft[]) => {
    const draft = draftOf(saved);
    return productChangeOf(saved, {
      ...draft,
      plans: draft.plans.map((plan) => ({ ...plan, periods: change(plan.periods) })),
    });
  };

  test("contains the images in their order, but only if the images changed", () => {
    const draft = draftOf(saved);
    const [first = "", second = ""] = draft.images;
    expect([first, second]).toEqual(["https://billing.test/a", "https://billing.test/b"]);
    expect(productChangeOf(saved, draft)).not.toHaveProperty("images");
    const other = { ...draft, images: [second, first] };
    expect(productChangeOf(saved, other)).toHaveProperty("images", [second, first]);
    expect(productChangeOf(saved, { ...draft, images: [] })).toHaveProperty("images", []);
  });

  test("contains the version of the product and omits unchanged billing periods", () => {
    const change = changeOf((periods) =>
      periods.map((period) => ({ ...period, price: "1000" })),
    );
    expect(change).toMatchObject({ version: "v1", new_plans: [], plan_order: ["plan"] });
    expect(change).not.toHaveProperty("vat");
    expect(change.plans[0]).toMatchObject({
      billing_periods: [],
      period_order: ["pbp_a", "pbp_b"],
    });
  });

  test("contains a changed price, a new billing period and the order of the periods", () => {
    const [plan] = changeOf(([a, b]) => [
      { ...emptyPeriod("NPR"), label: "New", price: "5" },
      ...(b ? [b] : []),
      ...(a ? [{ ...a, price: "1200" }] : []),
    ]).plans;
    expect(plan?.billing_periods).toEqual([{ pbp_id: "pbp_a", price: "1200" }]);
    const [added] = plan?.new_billing_periods ?? [];
    expect(added).toMatchObject({ label: "New", price: "5" });
    expect(plan?.period_order).toEqual([added?.pbp_id, "pbp_b", "pbp_a"]);
  });

  test("counts only billing periods on sale towards the limit of a plan", () => {
    const draft = draftOf(saved);
    const [plan] = draft.plans;
    const period = plan?.periods.find(({ is_archived }) => !is_archived);
    if (!plan || !period) throw new Error("the product has no period on sale");
    const of = (onSale: number, archived: number) =>
      Array.from({ length: onSale + archived }, (_, at) => ({
        ...period,
        key: `p${at}`,
        pbp_id: `p${at}`,
        is_archived: at >= onSale,
      }));
    const parse = (periods: PeriodDraft[]) =>
      ProductInput.safeParse({ ...draft, plans: [{ ...plan, periods }] });
    expect(parse(of(50, 1_200)).success).toBe(true);
    expect(isPlanFull({ periods: of(49, 1_200) })).toBe(false);
    expect(isPlanFull({ periods: of(50, 0) })).toBe(true);
    expect(parse(of(51, 0)).error?.issues[0]?.path).toEqual(["plans", 0, "periods"]);
  });

  test("archives a billing period without changing its price", () => {
    const [plan] = changeOf((periods) =>
      periods.map((period, at) =>
        at === 0 ? { ...period, price: "", is_archived: true } : period,
      ),
    ).plans;
    expect(plan?.billing_periods).toEqual([{ pbp_id: "pbp_a", is_archived: true }]);
  });
});

test("an item of a list moves by one place, and not beyond the ends of the list", () => {
  expect(movedBy(["a", "b", "c"], 1, -1)).toEqual(["b", "a", "c"]);
  expect(movedBy(["a", "b", "c"], 1, 1)).toEqual(["a", "c", "b"]);
  expect(movedBy(["a", "b"], 0, -1)).toEqual(["a", "b"]);
  expect(movedBy(["a", "b"], 1, 1)).toEqual(["a", "b"]);
});
