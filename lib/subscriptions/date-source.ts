import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import { type Database, isStorableText, singleRow } from "#lib/db/pool.ts";
import { calendarDay } from "#lib/format/format.ts";
import { billingDay } from "./rules.ts";

/** Why the billing date has its value: by a payment or a move; null if unknown. */
export type DateSource =
  { by: "payment" } | { by: "move"; name: string | null; is_own: boolean } | null;

/** A move of the date by a member; days are YYYY-MM-DD, moments ISO. */
export interface BillingDateMove {
  at: string;
  before: string | null;
  after: string | null;
  name: string | null;
  is_own: boolean;
}

interface PaidDate {
  at: string;
  /** The new billing date; null if it was not seen. */
  to: string | null;
}

interface KnownDates {
  /** The last verified payment of the current period. */
  proven: PaidDate | null;
  /** The last payment that the search index saw. */
  seen: PaidDate | null;
  /** The moves of the date, oldest first. */
  moves: readonly BillingDateMove[];
}

/**
 * Finds what led to the billing date `day`. If the last move led to it, that move counts, unless it
 * undid an earlier move of a date that a payment had set.
 */
export function findDateSource(day: string, { proven, seen, moves }: KnownDates): DateSource {
  const last = moves.at(-1);
  if (last?.after === day) {
    const sincePayment = proven ? moves.find(({ at }) => isAfter(at, proven.at)) : undefined;
    const isBack =
      sincePayment?.before === day ||
      (seen !== null && seen.to === day && isAfter(last.at, seen.at));
    return isBack ? { by: "payment" } : { by: "move", name: last.name, is_own: last.is_own };
  }
  if (seen?.to === day) return { by: "payment" };
  // No verified payment is known, or none since the search index saw one lead to another day.
  if (proven === null || (seen && !isAfter(proven.at, seen.at))) return null;
  const isProven =
    proven.to === null ? !(last && isAfter(last.at, proven.at)) : proven.to === day;
  return isProven ? { by: "payment" } : null;
}

const isAfter = (one: string, other: string) => Date.parse(one) > Date.parse(other);

/** `user` is null for a buyer. */
type DateReader = Pick<SignedIn, "owner"> & {
  user: Pick<SignedIn["user"], "id"> | null;
  seller: Pick<SignedIn["seller"], "time_zone">;
};

// The tolerated difference between the clocks of sender and service.
const CLOCKS = "interval '1 hour'";
/** Statuses whose billing date was paid for, or moved. */
const PAID = new Set(["active", "pending_cancellation"]);

/** Whether the billing date comes from a payment, for a buyer who is not signed in. */
export async function isDateFromPayment(
  db: Database,
  { owner, time_zone }: Pick<DateReader, "owner"> & { time_zone: string },
  record: Subscription,
): Promise<boolean> {
  const reached = await readDateSource(
    db,
    { owner, user: null, seller: { time_zone } },
    record,
  );
  return reached?.by === "payment";
}

/**
 * Finds how the billing date came about: by a verified payment of this period, a payment in the
 * search index, or a move. The index shows a payment only by a new period: a moved date makes an
 * overdue record active without a payment.
 * @param moving a move that the record does not show yet
 */
export async function readDateSource(
  db: Database,
  { owner, user, seller: { time_zone } }: DateReader,
  subscription: Subscription,
  moving: BillingDateMove | null = null,
): Promise<DateSource> {
  const { subscription_id, current_period_start, status } = subscription;
  const day = billingDay(subscription, time_zone);
  if (!PAID.has(status) || !isStorableText(subscription_id)) return null;
  const { rows } = await db.query<KnownDates>(
    `select
       (select json_build_object('at', p.at, 'to', coalesce(
            (select c.new_next_billing from subscription_change c
              where c.seller_id = $1 and c.mode = $2 and c.subscription_id = $3
                and c.proof_id = p.id
              order by c.id desc limit 1),
            -- An early renewal starts no new period: take the first new date since.
            (select c.new_next_billing from subscription_change c
              where c.seller_id = $1 and c.mode = $2 and c.subscription_id = $3
                and not c.shows_payment and c.seen_at >= least(p.at, p.said_at)
                and c.new_next_billing is distinct from c.old_next_billing
              order by c.id limit 1))) from proof p
         where p.seller_id = $1 and p.mode = $2 and p.subscription_id = $3
           and coalesce(p.said_at, p.at) + ${CLOCKS} >= coalesce($4::timestamptz, '-infinity')
         order by coalesce(p.said_at, p.at) desc, p.id desc limit 1) as proven,
       (select json_build_object('at', c.seen_at, 'to', c.new_next_billing) from subscription_change c
         where c.seller_id = $1 and c.mode = $2 and c.subscription_id = $3
           and (c.is_first_payment or c.new_period_start > c.old_period_start)
         order by c.id desc limit 1) as seen,
       (select coalesce(json_agg(to_jsonb(m) order by m.at), '[]') from (
          select a.at, a.user_name as name, a.user_id = $5 as is_own,
                 a.detail->>'next_billing_before' as before,
                 coalesce(a.detail->>'next_billing', a.detail->>'asked_for') as after
            from audit_log a
           where a.seller_id = $1 and a.mode = $2 and a.subscription_id = $3
             and a.action = 'subscription.reschedule' and a.result in ('done', 'unknown')
           order by a.at desc limit 50) m) as moves`,
    [owner.seller_id, owner.mode, subscription_id, isoMoment(current_period_start), user?.id],
  );
  const { proven, seen, moves } = singleRow(rows);
  // A record without a date cannot have been moved.
  if (day === null) return (seen ?? proven) ? { by: "payment" } : null;
  const onDay = (paid: PaidDate | null) =>
    paid && { at: paid.at, to: paid.to && calendarDay(paid.to, time_zone) };
  return findDateSource(day, {
    proven: onDay(proven),
    seen: onDay(seen),
    moves: moving ? [...moves, moving] : moves,
  });
}

/** An ISO moment for PostgreSQL; null if it is missing or invalid. */
export function isoMoment(iso: string | null): string | null {
  const moment = Date.parse(iso ?? "");
  return Number.isNaN(moment) ? null : new Date(moment).toISOString();
}
