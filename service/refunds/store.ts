import { randomUUID } from "node:crypto";
import type { RefundCause, RefundState } from "#contract/names.ts";
import type { DoneBy } from "#contract/recorded-payments.ts";
import { queryRow, queryRows, type Database } from "../db/database.ts";
import { OF_ACCOUNT } from "../sellers/store.ts";

/** Money that goes back to a buyer: of a payment, or of a charge that was not owed. */
export interface RefundRow {
  refund_id: string;
  seller_id: number;
  subscription_id: string;
  /** Null where the money was not owed, so that it is no payment. */
  payment_id: string | null;
  /** The charge at a provider; null for a payment made another way. */
  charge_id: string | null;
  /** Decimal text. */
  amount: string;
  /** sent: stored before the provider is called. refused: until `ended_at` a person decides. */
  state: RefundState;
  cause: RefundCause;
  provider_refund_id: string | null;
  tries: number;
  /** The number of refusals by the provider; see `keyOf`. */
  refusals: number;
  next_at: Date | null;
  ended_at: Date | null;
}

const COLUMNS = `refund_id, seller_id, subscription_id, payment_id, charge_id,
  amount::text as amount, state, cause, provider_refund_id, tries, refusals, next_at, ended_at`;

/**
 * The key by which the provider recognises a repetition. It changes after a refusal, because the
 * provider may repeat a refusal for the same key.
 */
export const keyOf = ({ refund_id, refusals }: Pick<RefundRow, "refund_id" | "refusals">) =>
  refusals === 0 ? refund_id : `${refund_id}-${refusals}`;

interface NewRefund extends Pick<
  RefundRow,
  "seller_id" | "subscription_id" | "payment_id" | "charge_id" | "amount" | "next_at"
> {
  state: "owed" | "by_hand";
  /** The person who asked for it and why, or the cause for which the service itself refunds. */
  asked: { by: DoneBy; reason: string } | Exclude<RefundCause, "requested">;
  place: string | null;
  /** Time of the seller's clock. */
  requested_at: Date;
}

/**
 * Stores that money has to go back. The caller updates the payment's sum; a charge that paid
 * nothing goes back once.
 * @returns the refund's id; null if that charge goes back already
 */
export async function insertRefund(
  database: Database,
  { asked, ...refund }: NewRefund,
): Promise<string | null> {
  const isRequest = typeof asked === "object";
  const row = await queryRow<{ refund_id: string }>(
    database,
    `insert into refund (refund_id, seller_id, subscription_id, payment_id, charge_id, amount,
       cause, reason, requested_by_id, requested_by, state, place, next_at, requested_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     on conflict do nothing
     returning refund_id`,
    [
      randomUUID(),
      refund.seller_id,
      refund.subscription_id,
      refund.payment_id,
      refund.charge_id,
      refund.amount,
      isRequest ? "requested" : asked,
      isRequest ? asked.reason : null,
      isRequest ? asked.by.id : null,
      isRequest ? asked.by.name : null,
      refund.state,
      refund.place,
      refund.next_at,
      refund.requested_at,
    ],
  );
  return row?.refund_id ?? null;
}

/**
 * Begins the refund of a charge that was not owed.
 * @param reason why it was not owed, as its attempt has it
 * @param clock the real time
 * @param at the seller's time
 */
export async function oweBack(
  database: Database,
  charge: { charge_id: string; seller_id: number; subscription_id: string; amount: string },
  reason: string,
  { clock, at }: { clock: Date; at: Date },
): Promise<void> {
  const { seller_id, subscription_id, charge_id, amount } = charge;
  await insertRefund(database, {
    seller_id,
    subscription_id,
    charge_id,
    payment_id: null,
    amount,
    asked: reason === "changed" || reason === "duplicate" ? reason : "settled",
    state: "owed",
    place: null,
    next_at: clock,
    requested_at: at,
  });
}

export type RefundKey = Pick<RefundRow, "seller_id" | "refund_id">;
type OfCharge = Pick<RefundRow, "seller_id" | "charge_id">;

export const selectRefund = (database: Database, { seller_id, refund_id }: RefundKey) =>
  queryRow<RefundRow>(
    database,
    `select ${COLUMNS} from refund where seller_id = $1 and refund_id = $2`,
    [seller_id, refund_id],
  );

/** The refund of a charge that was not owed. */
export const selectRefundOf = (database: Database, { seller_id, charge_id }: OfCharge) =>
  queryRow<RefundKey>(
    database,
    `select seller_id, refund_id from refund
     where seller_id = $1 and charge_id = $2 and payment_id is null and failed_at is null`,
    [seller_id, charge_id],
  );

/** A refund with its payment, locked; after the charge, if the caller locks that too. */
export async function lockRefund(
  database: Database,
  { seller_id, refund_id }: RefundKey,
): Promise<RefundRow | null> {
  await database.query(
    `select from payment p where seller_id = $1 and payment_id = (
       select payment_id from refund where seller_id = $1 and refund_id = $2)
     for update`,
    [seller_id, refund_id],
  );
  return queryRow<RefundRow>(
    database,
    `select ${COLUMNS} from refund where seller_id = $1 and refund_id = $2 for update`,
    [seller_id, refund_id],
  );
}

/** The refunds of a charge that have not ended, locked with their payments, the oldest first. */
export async function lockOpenRefunds(
  database: Database,
  { seller_id, charge_id }: OfCharge,
): Promise<RefundRow[]> {
  const open = await queryRows<RefundKey>(
    database,
    `select seller_id, refund_id from refund
     where seller_id = $1 and charge_id = $2 and ended_at is null
     order by requested_at, refund_id`,
    [seller_id, charge_id],
  );
  const locked: RefundRow[] = [];
  for (const key of open) {
    const refund = await lockRefund(database, key);
    if (refund?.ended_at === null) locked.push(refund);
  }
  return locked;
}

/** How much of a charge has gone back, as decimal text. */
export const selectRefunded = async (
  database: Database,
  { seller_id, charge_id }: OfCharge,
): Promise<string> =>
  (
    await queryRow<{ sum: string }>(
      database,
      `select coalesce(sum(amount), 0.00)::text as sum from refund
       where seller_id = $1 and charge_id = $2 and state = 'done'`,
      [seller_id, charge_id],
    )
  )?.sum ?? "0.00";

/** Whether a provider's answer about a charge can still end a refund of it. */
export const hasOpenRefund = async (
  database: Database,
  { seller_id, charge_id }: OfCharge,
): Promise<boolean> =>
  (await queryRow(
    database,
    `select 1 from refund
     where seller_id = $1 and charge_id = $2 and ended_at is null limit 1`,
    [seller_id, charge_id],
  )) !== null;

/** A refund that is claimed for a call, with its state before. */
export interface ClaimedRefund extends RefundRow {
  was: "owed" | "sent" | "under_way" | "done";
}

/**
 * Claims a refund for one call to the provider; one that is owed is stored as sent before the call.
 * @param ifDue when it must be due, so that of many processes one calls; null to call at any time
 */
export const claimRefund = (
  database: Database,
  { seller_id, refund_id }: RefundKey,
  { ifDue, next }: { ifDue: Date | null; next: Date | null },
) =>
  queryRow<ClaimedRefund>(
    database,
    `with old as (
       select r.seller_id, r.refund_id, r.state as was
       from refund r left join charge c using (seller_id, charge_id)
       where r.seller_id = $4 and r.refund_id = $1
         and (r.state in ('owed', 'sent', 'under_way') or r.state = 'done' and r.next_at is not null)
         and ($2::timestamptz is null or r.next_at <= $2 and not exists (
           select from payment_account a
           where a.account_id = c.account_id and a.rests_until > $2))
       for update of r)
     update refund set tries = tries + 1, next_at = $3,
       state = case when state in ('under_way', 'done') then state else 'sent' end
     from old where refund.seller_id = old.seller_id and refund.refund_id = old.refund_id
     returning ${COLUMNS.replace("refund_id, seller_id,", "refund.refund_id, refund.seller_id,")}, old.was`,
    [refund_id, ifDue, next, seller_id],
  );

type Changed = Partial<
  Pick<RefundRow, "provider_refund_id" | "refusals" | "next_at"> & {
    place: string | null;
    is_uncertain: boolean;
    refusal: string | null;
  }
> & { state: Exclude<RefundState, "done"> };

export const updateNextRefund = (
  database: Database,
  { seller_id, refund_id }: RefundKey,
  next_at: Date | null,
) =>
  database.query("update refund set next_at = $3 where seller_id = $1 and refund_id = $2", [
    seller_id,
    refund_id,
    next_at,
  ]);

/** Stores what becomes of a refund that is not done, whose row the caller has locked. */
export const updateRefund = (
  database: Database,
  { seller_id, refund_id }: RefundKey,
  changed: Changed,
) => {
  const columns = Object.keys(changed).map((name, at) => `${name} = $${at + 3}`);
  return database.query(
    `update refund set ${columns.join(", ")}
     where seller_id = $1 and refund_id = $2`,
    [seller_id, refund_id, ...Object.values(changed)],
  );
};

/**
 * Stores that a refund which was made has failed, and owes its money back as another refund, which
 * waits for a person.
 * @param at the seller's time
 * @returns the other refund's id
 */
export async function insertFailedAgain(
  database: Database,
  { seller_id, refund_id }: RefundKey,
  { refusal, at }: { refusal: string; at: Date },
): Promise<string> {
  await database.query(
    `update refund set state = 'refused', refusal = $3, failed_at = $4, next_at = null
     where seller_id = $1 and refund_id = $2`,
    [seller_id, refund_id, refusal, at],
  );
  const again = randomUUID();
  await database.query(
    `insert into refund (refund_id, seller_id, subscription_id, payment_id, charge_id, amount, cause,
       reason, requested_by_id, requested_by, requested_at, state, refusal)
     select $2, seller_id, subscription_id, payment_id, charge_id, amount, cause, reason,
       requested_by_id, requested_by, requested_at, 'refused', refusal
     from refund where seller_id = $3 and refund_id = $1`,
    [refund_id, again, seller_id],
  );
  return again;
}

/** The seller's time, by which refunds are dated. */
export const selectSellerTime = async (
  database: Database,
  sellerId: number,
  now: Date,
): Promise<Date> =>
  (
    await queryRow<{ at: Date }>(
      database,
      `select $2::timestamptz + clock_offset_ms * interval '1 millisecond' as at
       from seller where seller_id = $1`,
      [sellerId, now],
    )
  )?.at ?? now;

/** Due refunds of an account at a provider, those that are due longest first. */
export const selectDueRefunds = (
  database: Database,
  { account_id, now, limit }: { account_id: number; now: Date; limit: number },
) =>
  queryRows<RefundKey>(
    database,
    `select r.seller_id, r.refund_id from refund r join charge c using (seller_id, charge_id)
     where r.seller_id = ${OF_ACCOUNT}
       and r.next_at <= $2 and c.account_id = $1
       and not exists (select from payment_account a
         where a.account_id = $1 and a.rests_until > $2)
     order by r.next_at limit $3`,
    [account_id, now, limit],
  );
