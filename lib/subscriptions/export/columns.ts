import type { Subscription } from "#contract/subscriptions.ts";
import { isPayable, nextBilling } from "#lib/money/payable.ts";
import type { ToPay } from "#lib/format/format.ts";

/** The type of a cell; `status` and `known_by` are translated. */
type CellKind = "text" | "decimal" | "moment" | "status" | "known_by";

/** A subscription with the tags of its customer as one text. */
export type ExportedSubscription = Subscription & { tags?: string };

interface ColumnRule {
  kind: CellKind;
  read: (record: ExportedSubscription, toPay: () => ToPay) => string | null | undefined;
}

const text = (read: ColumnRule["read"]): ColumnRule => ({ kind: "text", read });
const moment = (read: ColumnRule["read"]): ColumnRule => ({ kind: "moment", read });

export const COLUMN_RULES = {
  subscription_id: text((record) => record.subscription_id),
  status: { kind: "status", read: (record) => record.status },
  status_code: text((record) => record.status),
  buyer: text(({ client }) => client.full_name),
  phone: text(({ client }) => client.phone),
  email: text(({ client }) => client.email),
  address: text(({ client }) => client.address),
  tags: text(({ tags }) => tags),
  product: text(({ product }) => product.name),
  plan: text(({ product }) => product.plan_name),
  period: text(({ product }) => product.label),
  price: { kind: "decimal", read: ({ product }) => product.price },
  // The amount to pay: the list price if the service no longer lists the period, empty if nothing
  // can be paid.
  to_pay: {
    kind: "decimal",
    read: (record, toPay) => (isPayable(record) ? toPay().amount : ""),
  },
  to_pay_known_by: {
    kind: "known_by",
    read: (record, toPay) => {
      if (!isPayable(record)) return null;
      return toPay().is_list_price ? "list_price" : "checkout";
    },
  },
  currency: text(({ product }) => product.currency),
  next_billing: moment(nextBilling),
  current_period_start: moment((record) => record.current_period_start),
  current_period_end: moment((record) => record.current_period_end),
  created: moment((record) => record.created_at),
  business_name: text(({ client }) => client.billing?.business_name),
  pan_vat: text(({ client }) => client.billing?.pan_vat),
  billing_email: text(({ client }) => client.billing?.email),
  billing_address: text(({ client }) => client.billing?.address),
  shipping_name: text(({ client }) => client.shipping?.full_name),
  shipping_phone: text(({ client }) => client.shipping?.phone),
  shipping_email: text(({ client }) => client.shipping?.email),
  shipping_address: text(({ client }) => client.shipping?.address),
  product_id: text(({ product }) => product.product_id),
  pbp_id: text(({ product }) => product.pbp_id),
} as const satisfies Record<string, ColumnRule>;

export type ExportColumn = keyof typeof COLUMN_RULES;
export const EXPORT_COLUMNS = Object.keys(COLUMN_RULES) as ExportColumn[];

/** Columns of the list that become several columns in the file. */
const SHOWN_TOGETHER: Partial<Record<string, ExportColumn[]>> = {
  product: ["product", "plan", "period"],
  price: ["price", "to_pay", "to_pay_known_by", "currency"],
};

/** The file's columns for the list's columns, in their order; all columns for null. */
export function columnsForFile(shown: readonly string[] | null): ExportColumn[] {
  if (shown === null) return EXPORT_COLUMNS;
  const wanted = shown.flatMap(
    (name) => SHOWN_TOGETHER[name] ?? EXPORT_COLUMNS.filter((column) => column === name),
  );
  const known = [...new Set(wanted)];
  return known.length > 0 ? known : EXPORT_COLUMNS;
}
