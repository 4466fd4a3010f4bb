import { totalAmount } from "#contract/amount.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import { CatalogueError } from "../products/price.ts";
import { VISIBLE_PERIOD } from "../products/store.ts";
import type { Seller } from "../sellers/store.ts";
import { localDate, renewedPeriod, type Interval } from "./periods.ts";
import { amountOn, selectListedPrice } from "./pricing.ts";
import type { SubscriptionRow } from "./store.ts";

interface Money {
  currency: string;
  /** Decimal text with two places. */
  amount: string;
}

export interface MovePreview {
  from: string;
  to: string;
  /** How many subscribers move, and how many stay because they have the other period as well. */
  subscribers: number;
  staying: number;
  /** The days, YYYY-MM-DD, on which the new price is asked first and last; null without any. */
  first_day: string | null;
  last_day: string | null;
  /** What the first billing of all of them at the new price was and is. */
  before: Money;
  after: Money;
}

/**
 * The subscription as a payment for its next period finds it: with the period that it was moved
 * to, if its billing date comes after the day of the move. One that was already due then owes the
 * old price first.
 */
export async function withMovedPeriod<Row extends SubscriptionRow>(
  database: Database,
  { seller_id, time_zone }: Seller,
  subscription: Row,
): Promise<Row> {
  const { move_id, next_billing_cycle } = subscription;
  if (move_id === null || next_billing_cycle === null) return subscription;
  const move = await queryRow<MovedPeriod>(
    database,
    `select m.created_at, b.pbp_id, b.label, b.price::text as price, b.currency,
       b.interval_type, b.interval_count
     from period_move m join billing_period b on b.pbp_id = m.to_pbp_id
     where m.seller_id = $1 and m.move_id = $2`,
    [seller_id, move_id],
  );
  if (!move) throw new Error("The move of a subscription was not found.");
  const { created_at, ...period } = move;
  const [begins, moved] = [next_billing_cycle, created_at].map((at) =>
    localDate(at, time_zone).toString(),
  ) as [string, string];
  return begins > moved ? { ...subscription, ...period, move_id: null } : subscription;
}

type MovedPeriod = { created_at: Date } & Pick<
  SubscriptionRow,
  "pbp_id" | "label" | "price" | "currency" | "interval_type" | "interval_count"
>;

interface Wanted {
  from: string;
  /** The period on sale that replaced the archived one, if left out. */
  to?: string | undefined;
}

/**
 * What a move of the subscribers of an archived period would change; changes nothing.
 * @throws CatalogueError if the periods do not fit
 */
export async function previewMove(
  database: Database,
  seller: Seller,
  wanted: Wanted,
  now: Date,
): Promise<MovePreview> {
  const { from, to, interval } = await requirePeriods(database, seller.seller_id, wanted);
  const dates = await queryRows<{ date: Date; subscribers: number; staying: number }>(
    database,
    `select s.next_billing_cycle as date, count(*)::int as subscribers,
       count(*) filter (where s.customer_id in (
         select o.customer_id from subscription o where o.seller_id = $1 and ${HAS_TARGET}
       ))::int as staying
     from subscription s where ${IS_SUBSCRIBER} group by 1`,
    [seller.seller_id, from, to],
  );
  const today = localDate(now, seller.time_zone);
  const moving = dates.flatMap(({ date, subscribers, staying }) => {
    const day = firstDayAfter(localDate(date, seller.time_zone), today, interval);
    return subscribers > staying ? [{ day, count: subscribers - staying }] : [];
  });
  const askedBy = async (pbpId: string, currency: string) => {
    const price = await selectListedPrice(database, seller.seller_id, pbpId);
    const amounts = moving.map(({ day, count }) => ({
      amount: amountOn(price, day).total,
      count,
    }));
    return { currency, amount: totalAmount(amounts) };
  };
  const { fromCurrency, toCurrency } = interval;
  const days = moving.map(({ day }) => day).toSorted();
  return {
    from,
    to,
    subscribers: moving.reduce((sum, { count }) => sum + count, 0),
    staying: dates.reduce((sum, { staying }) => sum + staying, 0),
    first_day: days.at(0) ?? null,
    last_day: days.at(-1) ?? null,
    before: await askedBy(from, fromCurrency),
    after: await askedBy(to, toCurrency),
  };
}

/** The next billing date that comes after today. */
function firstDayAfter(
  billingDate: Temporal.PlainDate,
  today: Temporal.PlainDate,
  interval: Interval,
): string {
  if (Temporal.PlainDate.compare(billingDate, today) > 0) return billingDate.toString();
  return renewedPeriod({
    billingDate,
    today,
    interval,
    anchorDay: billingDate.day,
  }).end.toString();
}

// The number of subscriptions in a transaction, so that no buyer's payment waits long.
const SLICE = 200;

/**
 * Moves the subscribers of an archived period to another one from their next billing date on, in
 * slices: what was moved before an interruption stays moved, and can be undone.
 * @returns the number of the move, by which it can be undone, and what `previewMove` says
 * @throws CatalogueError if the periods do not fit
 */
export async function moveSubscribers(
  pool: Database,
  seller: Seller,
  wanted: Wanted,
  now: Date,
): Promise<MovePreview & { move_id: number }> {
  const { seller_id } = seller;
  const preview = await previewMove(pool, seller, wanted, now);
  const { from, to } = preview;
  const { move_id, last_position } = (await queryRow<{
    move_id: number;
    last_position: number;
  }>(
    pool,
    `insert into period_move (seller_id, from_pbp_id, to_pbp_id, created_at)
     values ($1, $2, $3, $4)
     returning move_id, (select last_position from seller where seller_id = $1)`,
    [seller_id, from, to, now],
  )) ?? { move_id: 0, last_position: 0 };
  let subscribers = 0;
  for (let position = 0; position < last_position; position += SLICE) {
    const { rowCount } = await pool.query(
      `update subscription s set move_id = $4
       where s.position > $5 and s.position <= $6 and ${IS_SUBSCRIBER} and not exists (
         select from subscription o where o.customer_id = s.customer_id and ${HAS_TARGET})`,
      [seller_id, from, to, move_id, position, position + SLICE],
    );
    subscribers += rowCount ?? 0;
  }
  return { ...preview, subscribers, move_id };
}

/**
 * Undoes a move for all whose billing date has not come yet; the others keep the new price.
 * @throws CatalogueError if there is no such move
 */
export async function undoMove(
  pool: Database,
  { seller_id }: Seller,
  moveId: number,
  now: Date,
): Promise<{ move_id: number; undone: number }> {
  const move = await queryRow<{ last_position: number }>(
    pool,
    `update period_move set undone_at = coalesce(undone_at, $3)
     where seller_id = $1 and move_id = $2
     returning (select last_position from seller where seller_id = $1)`,
    [seller_id, moveId, now],
  );
  if (!move) throw new CatalogueError(`there is no move ${moveId}`);
  let undone = 0;
  for (let position = 0; position < move.last_position; position += SLICE) {
    const { rowCount } = await pool.query(
      `update subscription s set move_id = null
       from period_move m join seller on seller.seller_id = m.seller_id
       where m.move_id = $2 and s.seller_id = $1 and s.move_id = $2
         and s.position > $4 and s.position <= $5 and is_subscriber(s.status, s.is_one_time)
         and not (${localDay("s.next_billing_cycle")} > ${localDay("m.created_at")}
           and ${localDay("s.next_billing_cycle")} <= ${localDay("$3::timestamptz")})`,
      [seller_id, moveId, now, position, position + SLICE],
    );
    undone += rowCount ?? 0;
  }
  return { move_id: moveId, undone };
}

const localDay = (moment: string) =>
  `(${moment} at time zone zone_name(seller.time_zone))::date`;

const IS_SUBSCRIBER = `s.seller_id = $1 and s.pbp_id = $2
  and is_subscriber(s.status, s.is_one_time)`;
// A buyer has at most one active subscription of a billing period.
const HAS_TARGET = "o.pbp_id = $3 and is_subscriber(o.status, o.is_one_time)";

interface Period extends Interval {
  pbp_id: string;
  plan_id: string;
  currency: string;
  is_archived: boolean;
  is_visible: boolean;
}

async function requirePeriods(database: Database, sellerId: number, { from, to }: Wanted) {
  const target = to ?? (await findReplacement(database, sellerId, from));
  const periods = await queryRows<Period>(
    database,
    `select pbp_id, plan_id, currency, interval_type, interval_count, is_archived,
       ${VISIBLE_PERIOD} as is_visible
     from billing_period b where seller_id = $1 and pbp_id = any ($2)`,
    [sellerId, [from, target]],
  );
  const find = (id: string) => {
    const period = periods.find(({ pbp_id }) => pbp_id === id);
    if (!period) throw new CatalogueError(`there is no billing period '${id}'`);
    return period;
  };
  const old = find(from);
  if (!old.is_archived)
    throw new CatalogueError(`the billing period '${from}' is on sale; archive it first`);
  if (target === null)
    throw new CatalogueError(`no billing period on sale replaces '${from}'; name one`);
  const next = find(target);
  if (!next.is_visible)
    throw new CatalogueError(`the billing period '${target}' is not on sale`);
  const isSame =
    old.plan_id === next.plan_id &&
    old.interval_type === next.interval_type &&
    old.interval_count === next.interval_count;
  if (!isSame)
    throw new CatalogueError(
      "subscribers move between billing periods of one plan and one interval only",
    );
  const { interval_type, interval_count } = old;
  return {
    from,
    to: target,
    interval: {
      interval_type,
      interval_count,
      fromCurrency: old.currency,
      toCurrency: next.currency,
    },
  };
}

/** The period on sale that took the place of an archived one, through any number of changes. */
const findReplacement = (database: Database, sellerId: number, pbpId: string) =>
  queryValue<string>(
    database,
    `with recursive later as (
       select pbp_id from billing_period where seller_id = $1 and replaces = $2
       union
       select b.pbp_id from billing_period b join later l on b.replaces = l.pbp_id
     )
     select b.pbp_id from later join billing_period b using (pbp_id) where ${VISIBLE_PERIOD}`,
    [sellerId, pbpId],
  );
