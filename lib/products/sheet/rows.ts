import type { AccountProduct } from "#contract/account.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { draftOf } from "../draft.ts";
import { offersText, wordOf, type SheetColumn } from "./columns.ts";

export type SheetRow = Record<SheetColumn, string>;

/** A product's rows: one for each billing period in display order, also archived ones. */
export function sheetRowsOf(product: AccountProduct, t: Translate<"sheet">): SheetRow[] {
  const draft = draftOf(product);
  const yesOrNo = (is: boolean) => wordOf(t, is ? "yes" : "no");
  const periods = draft.plans.flatMap((plan) =>
    plan.periods.map((period) => ({ plan, period })),
  );
  return periods.map(({ plan, period }, at) => ({
    product: draft.name,
    plan: plan.plan_name,
    period: period.label,
    price: period.price,
    currency: period.currency,
    vat: wordOf(t, draft.vat),
    vat_percentage: draft.vat === "none" ? "" : draft.vat_percentage,
    interval: wordOf(t, period.interval_type),
    interval_count: period.interval_count,
    offers: offersText(period.offers),
    order: String(at + 1),
    archived: yesOrNo(period.is_archived),
    on_sale: yesOrNo(product.is_active),
    product_id: product.product_id,
    plan_id: plan.plan_id ?? "",
    pbp_id: period.pbp_id ?? "",
  }));
}
