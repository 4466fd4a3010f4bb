import type { AccountBillPage, BillQuery } from "#contract/payments.ts";
import { asciiDigits } from "#contract/phone-number.ts";
import { dayIn } from "#contract/process/local-day.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import type { ServiceContext } from "../context.ts";
import { billPdf } from "./bill-pdf.ts";
import type { Bill } from "./bill.ts";
import { sellerAt } from "../sellers/store.ts";

type ListedBill = AccountBillPage["results"][number];
type BillTotal = NonNullable<AccountBillPage["totals"]>[number];
type Filter = Omit<BillQuery, "page_size">;

/** A seller's bills that match, in the order that was asked for, and at most `limit` of them. */
export async function selectBills(
  database: Database,
  seller: { seller_id: number; time_zone: string },
  query: Filter,
  limit: number,
): Promise<ListedBill[]> {
  const { values, conditions, at } = filterOf(seller, query);
  const [isAfter, direction] = query.order === "newest" ? ["<", "desc"] : [">", "asc"];
  if (query.after !== undefined)
    conditions.push(`(b.issued_at, b.entry_id, b.number) ${isAfter} (
      select issued_at, entry_id, number from bill where seller_id = $1 and bill_id = ${at(query.after)}::uuid)`);
  return queryRows<ListedBill>(
    database,
    `select b.bill_id as id, b.kind, b.fiscal_year, b.label as number, b.payment_id,
       p.subscription_id, o.label as corrects, b.facts -> 'buyer' ->> 'name' as buyer,
       b.facts -> 'buyer' ->> 'pan' as buyer_pan, b.currency, b.amount::text as amount,
       b.vat::text as vat, wire_time(b.issued_at) as issued_at
     from bill b join payment p using (seller_id, payment_id)
       left join bill o on o.seller_id = b.seller_id and o.bill_id = b.corrects
     where ${conditions.join(" and ")}
     order by b.issued_at ${direction}, b.entry_id ${direction}, b.number ${direction}
     limit ${at(limit)}`,
    values,
  );
}

/** The sums of all bills that match, by kind and currency. */
export async function selectBillTotals(
  database: Database,
  seller: { seller_id: number; time_zone: string },
  query: Filter,
): Promise<BillTotal[]> {
  const { values, conditions } = filterOf(seller, query);
  return queryRows<BillTotal>(
    database,
    `select b.kind, b.currency, count(*)::int as bills, sum(b.amount)::text as amount,
       coalesce(sum(b.vat), 0.00)::text as vat
     from bill b join payment p using (seller_id, payment_id) where ${conditions.join(" and ")}
     group by b.kind, b.currency order by b.kind desc, b.currency`,
    values,
  );
}

function filterOf(
  { seller_id, time_zone }: { seller_id: number; time_zone: string },
  { payment_id, subscription_id, fiscal_year, from, until, number: typed }: Filter,
) {
  const number = typed && asciiDigits(typed);
  const values: unknown[] = [seller_id];
  const at = (value: unknown) => `$${values.push(value)}`;
  const conditions = ["b.seller_id = $1"];
  if (payment_id !== undefined) conditions.push(`b.payment_id = ${at(payment_id)}::uuid`);
  if (subscription_id !== undefined)
    conditions.push(`p.subscription_id = ${at(subscription_id)}::uuid`);
  if (fiscal_year !== undefined) conditions.push(`b.fiscal_year = ${at(fiscal_year)}`);
  if (from !== undefined) conditions.push(`b.issued_at >= ${at(dayIn(from, time_zone)[0])}`);
  if (until !== undefined) conditions.push(`b.issued_at < ${at(dayIn(until, time_zone)[1])}`);
  // Up to nine digits alone are a bill's number within its fiscal year.
  if (number !== undefined && /^\d{1,9}$/.test(number))
    conditions.push(`b.number = ${at(Number(number))}`);
  else if (number !== undefined)
    conditions.push(`position(${at(number.toUpperCase())} in b.label) > 0`);
  return { values, conditions, at };
}

const BILL = `select b.bill_id, b.seller_id, b.kind, b.fiscal_year, b.label, b.currency,
  b.amount::text as amount, b.vat::text as vat, b.issued_at, b.code, b.facts from bill b`;

type StoredBill = Bill & { seller_id: number };

export const findBill = (database: Database, sellerId: number, billId: string) =>
  queryRow<StoredBill>(database, `${BILL} where b.seller_id = $1 and b.bill_id = $2`, [
    sellerId,
    billId,
  ]);

/** Matches the subscription too: a bill's id opens nothing of another buyer. */
export const findBillOf = (database: Database, subscriptionId: string, billId: string) =>
  queryRow<StoredBill>(
    database,
    `${BILL} join payment p using (seller_id, payment_id)
     where b.seller_id = ${sellerAt("$1")} and p.subscription_id = $1 and b.bill_id = $2`,
    [subscriptionId, billId],
  );

/** All that a code confirms; null for an unknown one. */
export const findConfirmed = (database: Database, code: string) =>
  queryRow<Pick<Bill, "kind" | "label" | "currency" | "amount">>(
    database,
    `select kind, label, currency, amount::text as amount from bill
     where seller_id = ${sellerAt("$1")} and code = $1`,
    [code],
  );

export const billFileName = ({ label }: Pick<Bill, "label">) =>
  `${label.replaceAll("/", "-")}.pdf`;

/**
 * The bytes of a bill: those that were made when it was first read, so that a later version of the
 * program changes none.
 */
export async function readBillPdf(
  { pool, publicUrl, mode }: Pick<ServiceContext, "pool" | "publicUrl" | "mode">,
  bill: StoredBill,
): Promise<Buffer> {
  const stored = () =>
    queryValue<Buffer>(
      pool,
      "select content from bill_file where seller_id = $1 and bill_id = $2",
      [bill.seller_id, bill.bill_id],
    );
  const known = await stored();
  if (known) return known;
  const page = `${publicUrl}/bill/${bill.code}`;
  const made = await billPdf(bill, { page, isTest: mode === "test" });
  await pool.query(
    `insert into bill_file (bill_id, seller_id, content)
     select bill_id, seller_id, $3 from bill where seller_id = $1 and bill_id = $2
     on conflict do nothing`,
    [bill.seller_id, bill.bill_id, made],
  );
  return (await stored()) ?? made;
}
