import type { DocumentType, HandMethod, RecordedState } from "#contract/names.ts";
import type { DoneBy, RecordedPayment, Refund } from "#contract/recorded-payments.ts";
import { labelOf, type PaymentContext } from "../checkout/provider.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";

/** A recorded payment with the fields that are compared with what is owed now. */
export interface RecordedRow {
  recorded_id: string;
  subscription_id: string;
  state: RecordedState;
  method: HandMethod;
  amount: string;
  schedule: number;
  period_start: Date | null;
  recorded_by_id: string;
  payment_id: string | null;
}

export const findRecorded = (database: Database, sellerId: number, id: string) =>
  queryRow<RecordedRow>(
    database,
    `select recorded_id, subscription_id, state, method, amount::text as amount, schedule,
       period_start, recorded_by_id, payment_id
     from recorded_payment where seller_id = $1 and recorded_id = $2`,
    [sellerId, id],
  );

const ISO = (column: string) => `wire_time(${column})`;

/** The filters of a list; `before` is the id of the last row that was read. */
interface Narrowed {
  recorded_id?: string;
  refund_id?: string;
  subscription_id?: string;
  payment_id?: string | undefined;
  state?: RecordedState | undefined;
  is_open?: boolean | undefined;
  before?: string | undefined;
}

/** A seller's recorded payments that match, newest first. */
export function selectRecorded(
  database: Database,
  sellerId: number,
  { recorded_id, subscription_id, state, before }: Narrowed,
  limit: number,
): Promise<RecordedPayment[]> {
  const { add, sql, values } = conditions(sellerId, limit);
  if (recorded_id !== undefined) add((at) => `r.recorded_id = ${at}::uuid`, recorded_id);
  if (subscription_id !== undefined)
    add((at) => `r.subscription_id = ${at}::uuid`, subscription_id);
  if (state !== undefined) add((at) => `r.state = ${at}`, state);
  if (before !== undefined)
    add(
      (at) => `(r.recorded_at, r.recorded_id) < (select recorded_at, recorded_id
        from recorded_payment where seller_id = $1 and recorded_id = ${at}::uuid)`,
      before,
    );
  return queryRows<RecordedPayment>(
    database,
    `select r.recorded_id as id, r.subscription_id, s.full_name, p.name as product_name, r.state,
       r.method, r.amount::text as amount, r.currency, r.reference,
       r.received_on::text as received_on, r.photo_id is not null as has_photo,
       ${ISO("r.period_start")} as period_start, r.recorded_by_id, r.recorded_by,
       ${ISO("r.recorded_at")} as recorded_at, r.decided_by, ${ISO("r.decided_at")} as decided_at,
       r.reason, r.payment_id
     from recorded_payment r join subscription s using (seller_id, subscription_id)
     join product p on p.seller_id = s.seller_id and p.product_id = s.product_id
     where r.seller_id = $1${sql()} order by r.recorded_at desc, r.recorded_id desc limit $2`,
    values,
  );
}

interface Provider {
  provider: string | null;
  /** The seller's own name for the provider. */
  label: string | null;
}

/** A seller's refunds that match, newest first. */
export async function selectRefunds(
  database: Database,
  { adapters }: Pick<PaymentContext, "adapters">,
  sellerId: number,
  { refund_id, subscription_id, payment_id, is_open, before }: Narrowed,
  limit: number,
): Promise<Refund[]> {
  const { add, sql, values } = conditions(sellerId, limit);
  if (refund_id !== undefined) add((at) => `f.refund_id = ${at}::uuid`, refund_id);
  if (subscription_id !== undefined)
    add((at) => `f.subscription_id = ${at}::uuid`, subscription_id);
  if (payment_id !== undefined) add((at) => `f.payment_id = ${at}::uuid`, payment_id);
  if (is_open !== undefined) add((at) => `(f.ended_at is null) = ${at}::boolean`, is_open);
  if (before !== undefined)
    add(
      (at) => `(f.requested_at, f.refund_id) < (select requested_at, refund_id
        from refund where seller_id = $1 and refund_id = ${at}::uuid)`,
      before,
    );
  const rows = await queryRows<Omit<Refund, "provider_label"> & Provider>(
    database,
    `select f.refund_id as id, f.payment_id, f.subscription_id, s.full_name,
       coalesce(o.answered_amount, f.amount)::text as amount,
       coalesce(o.answered_currency, p.currency, c.currency) as currency, f.cause, f.reason,
       f.state, f.requested_by, ${ISO("f.requested_at")} as requested_at, a.provider, a.label, f.place,
       f.is_uncertain, f.reference, f.refusal, f.ended_by, ${ISO("f.ended_at")} as ended_at
     from refund f join subscription s using (seller_id, subscription_id)
     left join payment p on p.seller_id = f.seller_id and p.payment_id = f.payment_id
     left join charge c on c.seller_id = f.seller_id and c.charge_id = f.charge_id
     -- What is to go back where the provider took money of another currency.
     left join charge o on o.seller_id = f.seller_id and o.charge_id = f.charge_id and f.payment_id is null
       and o.answered_currency <> o.currency and o.answered_amount is not null
     left join payment_account a on a.account_id = c.account_id
     where f.seller_id = $1${sql()} order by f.requested_at desc, f.refund_id desc limit $2`,
    values,
  );
  return rows.map(({ provider, label, ...refund }) => ({
    ...refund,
    provider_label: labelOf(adapters, { label, provider }),
  }));
}

function conditions(sellerId: number, limit: number) {
  const values: unknown[] = [sellerId, limit];
  const parts: string[] = [];
  return {
    values,
    add: (part: (at: string) => string, value: unknown) =>
      parts.push(part(`$${values.push(value)}`)),
    sql: () => parts.map((part) => ` and ${part}`).join(""),
  };
}

/** Whether a recorded payment of that amount counts only when a second member approves it. */
export const needsApproval = async (database: Database, sellerId: number, amount: string) =>
  (await queryValue<boolean>(
    database,
    `select coalesce($2::numeric > approve_payments_above, false) from seller where seller_id = $1`,
    [sellerId, amount],
  )) ?? false;

interface NewRecorded extends Omit<RecordedRow, "state" | "recorded_by_id"> {
  currency: string;
  reference: string;
  received_on: string;
  photo_id: string | null;
  by: DoneBy;
  recorded_at: Date;
}

export const insertRecorded = (database: Database, sellerId: number, row: NewRecorded) =>
  database.query(
    `insert into recorded_payment (recorded_id, seller_id, subscription_id, state, method, amount,
       currency, schedule, period_start, reference, received_on, photo_id, recorded_by_id,
       recorded_by, recorded_at, payment_id)
     values ($1, $2, $3, case when $15::uuid is null then 'waiting' else 'counted' end, $4, $5, $6,
       $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      row.recorded_id,
      sellerId,
      row.subscription_id,
      row.method,
      row.amount,
      row.currency,
      row.schedule,
      row.period_start,
      row.reference,
      row.received_on,
      row.photo_id,
      row.by.id,
      row.by.name,
      row.recorded_at,
      row.payment_id,
    ],
  );

interface Decision {
  recorded_id: string;
  state: RecordedState;
  by: DoneBy;
  reason: string | null;
  payment_id: string | null;
  at: Date;
}

export const updateDecision = (database: Database, sellerId: number, decision: Decision) =>
  database.query(
    `update recorded_payment set state = $3, decided_by_id = $4, decided_by = $5, decided_at = $6,
       reason = $7, payment_id = $8, approved_by = case when $3 = 'counted' then $5 else approved_by end
     where seller_id = $1 and recorded_id = $2`,
    [
      sellerId,
      decision.recorded_id,
      decision.state,
      decision.by.id,
      decision.by.name,
      decision.at,
      decision.reason,
      decision.payment_id,
    ],
  );

interface Photo {
  media_type: DocumentType;
  content: Buffer;
}

export const insertPhoto = (
  database: Database,
  sellerId: number,
  photo: Photo & { photo_id: string; uploaded_at: Date },
) =>
  database.query(
    `insert into payment_photo (photo_id, seller_id, media_type, content, uploaded_at)
     values ($1, $2, $3, $4, $5)`,
    [photo.photo_id, sellerId, photo.media_type, photo.content, photo.uploaded_at],
  );

export const findPhoto = (database: Database, sellerId: number, recordedId: string) =>
  queryRow<Photo>(
    database,
    `select p.media_type, p.content from recorded_payment r join payment_photo p using (seller_id, photo_id)
     where r.seller_id = $1 and p.seller_id = $1 and r.recorded_id = $2`,
    [sellerId, recordedId],
  );

/** The payment, locked until the transaction ends; null if the seller has no such payment. */
export const lockPayment = (database: Database, sellerId: number, paymentId: string) =>
  queryRow<{
    payment_id: string;
    subscription_id: string;
    is_reversed: boolean;
    has_refunds: boolean;
    left: string;
  }>(
    database,
    `select payment_id, subscription_id, reversed_at is not null as is_reversed, refunds > 0 as has_refunds,
       (amount - refunds)::text as left
     from payment where seller_id = $1 and payment_id = $2 for update`,
    [sellerId, paymentId],
  );
