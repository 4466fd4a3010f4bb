import "server-only";
import { queryRows } from "#contract/process/database.ts";
import { getTranslations } from "next-intl/server";
import type { AccountProduct } from "#contract/account.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { calculatePrice, type PriceNotice } from "#lib/money/price.ts";
import type { Scope } from "#lib/scope.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { requireCatalogueAccount } from "./account.ts";
import type { MoveNotices, NoticeRecipient } from "./queries.ts";

/**
 * The buyers to tell of a move, and what each will pay: the subscribers whose next billing date is
 * after today, earliest first. A subscriber who is due now is left out, because their next price
 * was decided before.
 * @param pbp_id the archived billing period whose subscribers move
 * @throws AppError `conflict` while the index is not filled; `not_found` without such a move
 */
export async function getMoveNotices(
  scope: Scope,
  product_id: string,
  pbp_id: string,
): Promise<MoveNotices> {
  const signedIn = await requireSeller(scope, "products:write");
  const account = await requireCatalogueAccount(signedIn.owner);
  const [product, { periods }, today, { state }] = await Promise.all([
    account.readProduct(product_id),
    account.readSubscribers(product_id),
    serviceDay(signedIn),
    readIndexStatus(database(), signedIn.owner),
  ]);
  const move = periods.find((one) => one.pbp_id === pbp_id)?.move;
  const noticeOn = move && noticeOf(product, pbp_id, move.to);
  if (!noticeOn || move.waiting === 0) throw new AppError({ kind: "not_found" });
  if (state !== "ready") {
    const t = await getTranslations("products");
    throw new AppError({ kind: "conflict", detail: t("noIndex") });
  }
  const { time_zone } = signedIn.seller;
  const asked = { from: pbp_id, to: move.to, today, time_zone };
  const rows = await findMoveRecipients(database(), signedIn.owner, asked);
  return {
    total: rows.length,
    recipients: rows.slice(0, MOST_LISTED).flatMap(({ day, ...recipient }) => {
      const notice = noticeOn(day);
      return notice ? [{ ...recipient, notice }] : [];
    }),
  };
}

/** A function from a billing day to its notice; null if a period is not of this product. */
function noticeOf(product: AccountProduct, from: string, to: string) {
  const periods = product.plan.flatMap(({ billing_periods }) => billing_periods);
  const [before, after] = [from, to].map((id) => periods.find(({ pbp_id }) => pbp_id === id));
  if (!before || !after) return null;
  return (day: string): PriceNotice | null => {
    const [old, next] = [before, after].map((one) => calculatePrice(one, one.vat, day));
    return old && next
      ? {
          day,
          before: { amount: old.total, currency: before.currency },
          after: { amount: next.total, currency: after.currency },
        }
      : null;
  };
}

type Row = Omit<NoticeRecipient, "notice"> & { day: string };

const MOST_LISTED = 1_000;

/**
 * The active subscriptions of a billing period whose next billing date is after today, earliest first.
 * Without customers who have the other billing period too: they keep both.
 */
export const findMoveRecipients = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  { from, to, today, time_zone }: Record<"from" | "to" | "today" | "time_zone", string>,
) =>
  queryRows<Row>(
    db,
    `select s.id, s.full_name as name, k.last_contact_id::text as seen,
            to_char(s.next_billing_cycle at time zone $6, 'YYYY-MM-DD') as day
       from indexed_subscription s
       left join collection_state k
         on k.seller_id = $1 and k.mode = $2 and k.subscription_id = s.id
      where s.seller_id = $1 and s.mode = $2 and s.pbp_id = $3 and s.status = 'active'
        and (s.next_billing_cycle at time zone $6)::date > $5::date
        and not exists (select from indexed_subscription o
              where o.seller_id = $1 and o.mode = $2 and o.pbp_id = $4
                and o.phone_key = s.phone_key and o.status in ('active', 'due'))
      order by s.next_billing_cycle, s.id`,
    [seller_id, mode, from, to, today, time_zone],
  );
