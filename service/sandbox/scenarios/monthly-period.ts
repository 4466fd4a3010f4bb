import { randomUUID } from "node:crypto";
import type { Database } from "../../db/database.ts";
import { insertCatalogue } from "../../products/catalogue.ts";
import { VISIBLE_PERIOD } from "../../products/store.ts";

/** A monthly billing period that the seller offers, or a new one of a product created for it. */
export async function monthlyPeriod(
  database: Database,
  sellerId: number,
  now: Date,
): Promise<string> {
  const { rows } = await database.query<{ pbp_id: string }>(
    `select b.pbp_id from billing_period b
     join plan l using (plan_id) join product p using (product_id)
     where b.seller_id = $1 and b.interval_type = 'month' and b.interval_count = 1
       and p.is_active and ${VISIBLE_PERIOD}
     order by p.position, l.plan_order, b.period_order limit 1`,
    [sellerId],
  );
  return rows[0]?.pbp_id ?? insertMonthly(database, sellerId, now);
}

async function insertMonthly(database: Database, sellerId: number, now: Date): Promise<string> {
  const pbp_id = `sandbox-${randomUUID().slice(0, 8)}`;
  const period = {
    pbp_id,
    interval_type: "month",
    interval_count: 1,
    label: "Monthly",
    price: "500.00",
    currency: "NPR",
    offers: [],
  };
  const product = {
    name: "Sandbox product",
    description: "Made by a scenario of the sandbox.",
    terms_and_conditions: "",
    features_and_benefits: "",
    vat: { is_vat_active: false, vat_type: "inclusive" as const, vat_percentage: "0" },
    images: [],
    plans: [{ plan_name: "Standard", description: "", billing_periods: [period] }],
  };
  await insertCatalogue(database, sellerId, [product], now);
  return pbp_id;
}
