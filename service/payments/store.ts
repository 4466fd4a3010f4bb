import type { AccountPayment, PaymentQuery } from "#contract/payments.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";
import { dayIn } from "#contract/process/local-day.ts";

type PaymentRow = Omit<AccountPayment, "period_start" | "paid_at"> & {
  period_start: Date;
  paid_at: Date;
};

/**
 * A seller's payments that match, newest first.
 * @param time_zone the seller's, to which a day in the query belongs
 * @param limit how many rows; at most the largest size of a page and one more
 */
export async function selectPayments(
  database: Database,
  { seller_id, time_zone }: { seller_id: number; time_zone: string },
  query: Omit<PaymentQuery, "page_size"> & { payment_ids?: string[] },
  limit: number,
): Promise<AccountPayment[]> {
  const values: unknown[] = [seller_id, limit];
  const at = (value: unknown) => `$${values.push(value)}`;
  // Selective conditions are looked up first ("offset 0") instead of scanning all payments by time.
  const first: string[] = [];
  const conditions: string[] = [];
  const { payment_ids, reference, customer_id, subscription_id, amount, day, before } = query;
  if (payment_ids !== undefined) first.push(`p.payment_id = any (${at(payment_ids)}::uuid[])`);
  if (reference !== undefined) {
    const [low, high] = idsWithReference(reference) ?? [null, null];
    first.push(`p.payment_id = any (array(
      select payment_id from payment
      where seller_id = $1 and payment_id between ${at(low)}::uuid and ${at(high)}::uuid
      union all
      select q.payment_id from checkout_attempt a join payment q using (seller_id, attempt_id)
      where a.seller_id = $1 and a.provider_reference = ${at(reference)}))`);
  }
  if (customer_id !== undefined)
    first.push(`p.subscription_id = any (array(
      select subscription_id from subscription
      where seller_id = $1 and customer_id = ${at(customer_id)}))`);
  if (subscription_id !== undefined)
    first.push(`p.subscription_id = ${at(subscription_id)}::uuid`);
  if (amount !== undefined) conditions.push(`p.amount = ${at(amount)}::numeric`);
  if (day !== undefined) {
    const [from, to] = dayIn(day, time_zone);
    conditions.push(`p.paid_at >= ${at(from)} and p.paid_at < ${at(to)}`);
  }
  if (before !== undefined)
    conditions.push(`(p.paid_at, p.payment_id) < (
      select paid_at, payment_id from payment
      where seller_id = $1 and payment_id = ${at(before)}::uuid)`);
  const source =
    first.length > 0
      ? `(select * from payment p where p.seller_id = $1 and ${first.join(" and ")} offset 0)`
      : "payment";
  const rows = await queryRows<PaymentRow>(
    database,
    // The constant limit tells the planner how few rows are joined.
    `select p.payment_id, upper(left(p.payment_id::text, 8)) as reference, p.subscription_id,
       json_build_object('id', c.id, 'full_name', c.full_name, 'buyer_phone', c.buyer_phone,
         'buyer_email', c.buyer_email) as customer,
       json_build_object('product_id', r.product_id, 'name', r.name, 'plan_name', l.plan_name)
         as product,
       p.amount::text as amount, p.currency, p.vat::text as vat, p.fee::text as fee, p.method,
       a.provider_reference, p.refunded::text as refunded,
       (p.refunds - p.refunded)::text as refund_owed, wire_time(p.reversed_at) as reversed_at,
       case when g.dispute is not null then json_build_object('state', g.dispute,
         'amount', coalesce(g.disputed_amount, 0.00)::text, 'fee', g.dispute_fee::text) end as dispute,
       b.bill_id,
       case when h.recorded_id is not null then json_build_object('id', h.recorded_id,
         'by', h.recorded_by, 'approved_by', h.approved_by, 'reference', h.reference,
         'received_on', h.received_on, 'has_photo', h.photo_id is not null) end as recorded,
       p.period_start, p.paid_at
     from (select * from ${source} p where ${["p.seller_id = $1", ...conditions].join(" and ")}
           order by p.paid_at desc, p.payment_id desc limit ${MAX_PAGE_SIZE + 1}) p
     join subscription s on s.seller_id = $1 and s.subscription_id = p.subscription_id
     join customer c on c.seller_id = $1 and c.id = s.customer_id
     join product r on r.seller_id = $1 and r.product_id = s.product_id
     join plan l on l.seller_id = $1 and l.plan_id = s.plan_id
     left join checkout_attempt a on a.seller_id = $1 and a.attempt_id = p.attempt_id
     left join recorded_payment h on h.seller_id = $1 and h.payment_id = p.payment_id
     left join charge g on g.seller_id = $1 and g.attempt_id = p.attempt_id and g.is_booked
     left join bill b on b.seller_id = $1 and b.payment_id = p.payment_id and b.corrects is null
     order by p.paid_at desc, p.payment_id desc limit $2`,
    values,
  );
  return rows.map(({ period_start, paid_at, ...row }) => ({
    ...row,
    period_start: period_start.toISOString(),
    paid_at: paid_at.toISOString(),
  }));
}

export const isPayment = async (database: Database, sellerId: number, id: string) =>
  (await queryRow(database, "select 1 from payment where seller_id = $1 and payment_id = $2", [
    sellerId,
    id,
  ])) !== null;

const HEX_DIGITS = 32;

/** The range of payment ids that begin with a reference; null if none can. */
function idsWithReference(reference: string): [first: string, last: string] | null {
  const digits = reference.replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]+$/.test(digits) || digits.length > HEX_DIGITS) return null;
  const filled = (digit: string) =>
    digits
      .padEnd(HEX_DIGITS, digit)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return [filled("0"), filled("f")];
}
