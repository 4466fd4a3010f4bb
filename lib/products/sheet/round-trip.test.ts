import fc from "fast-check";
import { expect, test } from "vitest";
import type { AccountProduct } from "#contract/account.ts";
import { INTERVAL_TYPES } from "#contract/names.ts";
import { tableFile } from "#lib/files/table-file.ts";
import {
  makeAccountProduct,
  makePeriod,
  type AccountPeriod,
} from "#tools/testing/fixtures/catalogue-fixture.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import { productChangeOf, ProductInput } from "../draft-input.ts";
import { checkSheet } from "./check.ts";
import { headingOf, SHEET_COLUMNS } from "./columns.ts";
import { sheetRowsOf, type SheetRow } from "./rows.ts";
import { readSheet } from "./table.ts";

const english = translatorOf("sheet");
const nepali = translatorOf("sheet", "ne");
const languages = [english, nepali] as const;
const context = { languages, format: translatorOf("format"), currency: "NPR" };

async function check(
  rows: SheetRow[],
  saved: AccountProduct[],
  { format = "csv" as "csv" | "xlsx", t = english } = {},
) {
  const file = tableFile<SheetRow>({
    columns: SHEET_COLUMNS.map((column) => ({
      heading: headingOf(t, column),
      kind: column === "price" ? "number" : "text",
      read: (row) => row[column],
    })),
    rows: [rows],
    format,
    name: "Products",
  });
  const bytes = new Uint8Array(await new Response(file).arrayBuffer());
  return checkSheet(await readSheet(bytes, languages), saved, context);
}

const texts = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim() || "x");
const signed = fc.tuple(fc.constantFrom("=", "+", "-", "@", "'=", "a;=", ""), texts);
const names = signed.map(([sign, text]) => `${sign}${text}`);
const price = fc
  .integer({ min: 1, max: 99_999_999_999_999 })
  .map((units) => `${Math.floor(units / 100)}.${String(units % 100).padStart(2, "0")}`);
const days = fc
  .tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 0, max: 400 }))
  .map(([from, length]) =>
    [from, from + length].map((day) =>
      new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
    ),
  );
const offers = fc.array(
  fc.tuple(price, days).map(([discount, [starts_at = "", valid_until = ""]]) => ({
    id: "offer",
    discount_amount: Number(discount),
    starts_at,
    valid_until,
    is_active: true,
  })),
  { maxLength: 2 },
);
const period = fc.record({
  label: names,
  interval_type: fc.constantFrom(...INTERVAL_TYPES),
  interval_count: fc.integer({ min: 1, max: 12 }),
  price,
  currency: fc.constantFrom("NPR", "USD"),
  is_current: fc.boolean(),
  is_archived: fc.boolean(),
  offers,
});
const product = fc.record({
  name: names,
  is_active: fc.boolean(),
  vat: fc.record({
    is_vat_active: fc.boolean(),
    vat_type: fc.constantFrom("inclusive", "exclusive"),
    vat_percentage: fc.integer({ min: 1, max: 10_000 }).map((rate) => rate / 100),
  }),
  plans: fc.array(fc.tuple(names, fc.array(period, { minLength: 1, maxLength: 4 })), {
    minLength: 1,
    maxLength: 3,
  }),
});
const catalogue = fc.array(product, { minLength: 1, maxLength: 4 });
type MadeProduct = typeof product extends fc.Arbitrary<infer Made> ? Made : never;

const savedOf = (products: MadeProduct[]) =>
  products.map(({ plans, ...product }, at) => {
    const made = makeAccountProduct(`prd_${at}`, [], product as Partial<AccountProduct>);
    made.plan = plans.map(([plan_name, periods], planAt) => ({
      plan_id: `pln_${at}_${planAt}`,
      plan_name,
      description: "",
      billing_periods: periods.map((one, periodAt) =>
        makePeriod(`pbp_${at}_${planAt}_${periodAt}`, one as Partial<AccountPeriod>),
      ),
    })) as AccountProduct["plan"];
    return made;
  });

test("importing an unchanged export changes nothing, in both formats and both languages", async () => {
  await fc.assert(
    fc.asyncProperty(
      catalogue,
      fc.constantFrom("csv" as const, "xlsx" as const),
      fc.constantFrom(english, nepali),
      async (products, format, t) => {
        const saved = savedOf(products);
        const exported = saved.flatMap((one) => sheetRowsOf(one, t));
        const { rows, changes } = await check(exported, saved, { format, t });
        expect(rows.filter(({ outcome }) => outcome !== "same")).toEqual([]);
        expect(changes).toEqual([]);
      },
    ),
  );
}, 60_000);

test("a row with a new price changes only its billing period, and nothing when imported again", async () => {
  await fc.assert(
    fc.asyncProperty(catalogue, fc.nat(), price, async (products, which, newPrice) => {
      const saved = savedOf(products);
      const rows = saved.flatMap((product) => sheetRowsOf(product, english));
      const row = rows[which % rows.length];
      if (!row || row.archived === "yes" || Number(row.price) === Number(newPrice)) return;
      row.price = newPrice;
      const { changes } = await check(rows, saved);
      expect(changes).toHaveLength(1);
      const [change] = changes;
      const product = saved.find(({ product_id }) => product_id === row.product_id);
      if (change?.kind !== "change" || !product) throw new Error("no product changes");
      const body = productChangeOf(product, ProductInput.parse(change.product));
      expect(body.plans.flatMap(({ billing_periods }) => billing_periods)).toEqual([
        { pbp_id: row.pbp_id, price: newPrice },
      ]);
      const after = structuredClone(saved);
      for (const { billing_periods } of after.flatMap(({ plan }) => plan))
        for (const [at, one] of billing_periods.entries())
          if (one.pbp_id === row.pbp_id) {
            const next = { ...one, pbp_id: "pbp_next", price: newPrice, replaces: one.pbp_id };
            billing_periods.splice(at, 1, next, { ...one, is_archived: true });
            break;
          }
      expect((await check(rows, after)).changes).toEqual([]);
    }),
  );
}, 60_000);
