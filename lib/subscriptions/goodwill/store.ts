import "server-only";
import { queryValue } from "#contract/process/database.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { AppError, isAnswerLost } from "#lib/failure.ts";
import { isStorableText, singleRow, type Database } from "#lib/db/pool.ts";
import { serviceDay, type ServiceClockInput } from "#lib/billing/service-clock.ts";
import { amountOrZero, debtSql, amountsOwed, type Debt } from "#lib/money/debt.ts";
import { message } from "#lib/i18n/message.ts";
import { readAmounts, type AmountsContext } from "#lib/search-index/query/owed.ts";
import { amountToPay } from "#lib/money/price.ts";
import { isoMoment } from "../date-source.ts";
import { billingDay } from "../rules.ts";
import type { Goodwill, Settlement } from "./rules.ts";

export type Giver = Pick<SignedIn, "owner"> & {
  user: Pick<SignedIn["user"], "id" | "name">;
  seller: Pick<SignedIn["seller"], "time_zone">;
};

/** The user who moves a due subscription, with access to the service's day and amounts. */
export type SettlementContext = Giver & ServiceClockInput & AmountsContext;

interface Move {
  before: Subscription;
  day: string;
}

/**
 * Stores a goodwill extension as a contact of the new billing date; promises for the old date no
 * longer count.
 * @param after the record after the move, if it could be read
 */
export async function insertGoodwill(
  db: Database,
  giver: Giver,
  goodwill: Goodwill,
  { before, day, after }: Move & { after: Subscription | null },
): Promise<void> {
  const { time_zone } = giver.seller;
  await insertContact(db, giver, after ?? before, "courtesy", {
    ...movedDays(before, after ? billingDay(after, time_zone) : day, time_zone),
    ...reasonDetail(goodwill),
  });
}

const movedDays = (before: Subscription, after: string | null, time_zone: string) => ({
  before: billingDay(before, time_zone),
  after,
});

const reasonDetail = ({ reason, words }: Goodwill) => ({
  reason,
  ...(words && { text: words }),
});

/**
 * Moves a billing date. For a due subscription the settlement is stored first, so that a lost answer or
 * a crash loses no debt. A settlement takes effect once the record shows another date.
 * @throws AppError `conflict` if a due subscription has no settlement; nothing is sent then
 */
export async function moveBillingDateWithSettlement<Value>(
  db: Database,
  giver: SettlementContext,
  { before, day, settlement }: Move & { settlement: Settlement | null },
  send: () => Promise<Value>,
): Promise<Value> {
  if (before.status !== "due") return send();
  if (settlement === null)
    throw new AppError({ kind: "conflict", detail: message("owed.undecided") });
  const id = await keepSettlement(db, giver, settlement, { before, day });
  try {
    return await send();
  } catch (error) {
    if (error instanceof AppError && !isAnswerLost(error.failure))
      await withdrawContact(db, giver, id);
    throw error;
  }
}

async function keepSettlement(
  db: Database,
  giver: SettlementContext,
  settlement: Settlement,
  { before, day }: Move,
): Promise<string> {
  const { owner, seller } = giver;
  const { subscription_id, product } = before;
  const cycle = isoMoment(before.next_billing_cycle);
  // Read first: if the service does not answer, an earlier settlement stays.
  const to_pay = amountToPay(await readAmounts(db, giver, await serviceDay(giver)), product);
  await withdrawUnfulfilledSettlements(db, giver, before);
  const { rows } = await db.query<{ debt: Debt | null; payments: number }>(
    `select ${debtSql("k", "$4::timestamptz")} as debt,
            k.debt_payments - greatest(k.debt_seen, k.debt_proven) as payments
       from collection_state k
      where k.seller_id = $1 and k.mode = $2 and k.subscription_id = $3`,
    [owner.seller_id, owner.mode, subscription_id, cycle],
  );
  const { debt = null, payments = 0 } = rows[0] ?? {};
  const [{ amount, currency, is_list_price }, other] = amountsOwed(before, to_pay, debt);
  if (other) throw new AppError({ kind: "conflict", detail: message("owed.twoCurrencies") });
  return insertContact(db, giver, before, "courtesy", {
    ...movedDays(before, day, seller.time_zone),
    ...reasonDetail(settlement),
    owed: settlement.owed,
    amount: amountOrZero(amount),
    currency,
    is_list_price,
    since: debt?.since ?? billingDay(before, seller.time_zone),
    payments: 1 + (debt ? payments : 0),
    cycle,
    start: isoMoment(before.current_period_start),
  });
}

export async function withdrawContact(
  db: Database,
  { owner, user }: Giver,
  id: string,
): Promise<void> {
  await db.query(
    `update contact set undone_at = clock_timestamp(), undone_by = $4
      where seller_id = $1 and mode = $2 and id = $3 and undone_at is null`,
    [owner.seller_id, owner.mode, id, user.id],
  );
}

/** Withdraws settlements for the record's current date: their moves never happened. */
export async function withdrawUnfulfilledSettlements(
  db: Database,
  { owner, user }: Giver,
  { subscription_id, next_billing_cycle }: Subscription,
): Promise<void> {
  await db.query(
    `update contact set undone_at = clock_timestamp(), undone_by = $5
      where seller_id = $1 and mode = $2 and subscription_id = $3 and undone_at is null
        and kind = 'courtesy' and detail ? 'owed'
        and (detail->>'cycle')::timestamptz is not distinct from $4::timestamptz`,
    [owner.seller_id, owner.mode, subscription_id, isoMoment(next_billing_cycle), user.id],
  );
}

/** The rest of a kept debt; null if there is none. */
export async function readDebt(
  db: Database,
  { owner }: Pick<SignedIn, "owner">,
  { subscription_id, next_billing_cycle }: Subscription,
): Promise<Debt | null> {
  if (!isStorableText(subscription_id)) return null;
  return queryValue<Debt>(
    db,
    `select ${debtSql("k", "$4::timestamptz")} as debt from collection_state k
      where k.seller_id = $1 and k.mode = $2 and k.subscription_id = $3`,
    [owner.seller_id, owner.mode, subscription_id, isoMoment(next_billing_cycle)],
  );
}

/**
 * Waives the rest of a kept debt.
 * @returns the waived amount
 * @throws AppError `not_found`
 */
export async function waiveDebt(
  db: Database,
  giver: Giver,
  record: Subscription,
  goodwill: Goodwill,
): Promise<Debt> {
  const debt = await readDebt(db, giver, record);
  if (debt === null) throw new AppError({ kind: "not_found" });
  const { amount, currency, since } = debt;
  await insertContact(db, giver, record, "waive", {
    amount,
    currency,
    since,
    ...reasonDetail(goodwill),
  });
  return debt;
}

export async function insertContact(
  db: Database,
  { owner, user }: Giver,
  { subscription_id, next_billing_cycle }: Subscription,
  kind: "courtesy" | "waive" | "leave",
  detail: Record<string, string | number | boolean | null>,
): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, cycle, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
    [
      owner.seller_id,
      owner.mode,
      subscription_id,
      user.id,
      user.name,
      kind,
      isoMoment(next_billing_cycle),
      detail,
    ],
  );
  return singleRow(rows).id;
}
