import type pg from "pg";
import type { ProductSubscribers } from "#contract/account.ts";
import { totalAmount } from "#contract/amount.ts";
import { queryRow, queryRows, queryValue, transaction, type Database } from "../db/database.ts";
import { finishEach } from "../finish-each.ts";
import { CatalogueError } from "../products/price.ts";
import { VISIBLE_PERIOD } from "../products/store.ts";
import type { Seller } from "../sellers/store.ts";
import { localDate } from "#contract/process/local-day.ts";
import { renewedPeriod, type Interval } from "./periods.ts";
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
  /** How many subscribers move, and how many stay because they have the other period too. */
  subscribers: number;
  staying: number;
  /**
   * The earliest and the latest billing date with the new price, YYYY-MM-DD; null without
   * subscribers.
   */
  first_day: string | null;
  last_day: string | null;
  /**
   * What all subscribers together pay for the first billing with the new price: at the old price,
   * and at the new.
   */
  before: Money;
  after: Money;
}

/**
 * The subscription as a payment for its next period finds it: with the period that it was moved to,
 * if its billing date comes after the day of the move. A subscription that was already due on that
 * day owes the old price first.
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
    `select m.created_at, m.undone_at, b.pbp_id, b.label, b.price::text as price, b.currency,
       b.interval_type, b.interval_count
     from period_move m join billing_period b on b.seller_id = m.seller_id and b.pbp_id = m.to_pbp_id
     where m.seller_id = $1 and m.move_id = $2`,
    [seller_id, move_id],
  );
  if (!move) throw new Error("The move of a subscription was not found.");
  const { created_at, undone_at, ...period } = move;
  const dayOfMoment = (at: Date) => localDate(at, time_zone).toString();
  const begins = dayOfMoment(next_billing_cycle);
  const isMoved =
    begins > dayOfMoment(created_at) && !(undone_at && begins > dayOfMoment(undone_at));
  return isMoved ? { ...subscription, ...period, move_id: null } : subscription;
}

type MovedPeriod = { created_at: Date; undone_at: Date | null } & Pick<
  SubscriptionRow,
  "pbp_id" | "label" | "price" | "currency" | "interval_type" | "interval_count"
>;

interface Wanted {
  from: string;
  /** The period on sale that replaced the archived one, if left out. */
  to?: string | undefined;
}

/**
 * Previews a move of the subscribers of an archived period; changes nothing.
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

// The number of positions in a transaction, so that no buyer's payment waits long.
const SLICE = 200;
/** The slices that a request does itself. */
export const SLICES_AT_ONCE = 10;

/**
 * Begins to move the subscribers of an archived period to another one from their next billing date
 * on; `spreadMove` then gives it to each of them.
 * @returns the id of the move, with which it can be undone, and what `previewMove` says
 * @throws CatalogueError if the periods do not fit
 */
export async function beginMove(
  database: Database,
  seller: Seller,
  wanted: Wanted,
  now: Date,
): Promise<MovePreview & { id: number }> {
  const preview = await previewMove(database, seller, wanted, now);
  const id = await queryValue<number>(
    database,
    `insert into period_move (seller_id, from_pbp_id, to_pbp_id, created_at, spread_after)
     values ($1, $2, $3, $4, 0) returning move_id`,
    [seller.seller_id, preview.from, preview.to, now],
  );
  return { id: id ?? 0, ...preview };
}

/** Gives a move to its subscribers, or takes an undone one from them, in slices. */
export async function spreadMove(
  pool: pg.Pool,
  sellerId: number,
  moveId: number,
  { most = Infinity } = {},
): Promise<void> {
  for (let slices = 0; slices < most; slices += 1)
    if (!(await spreadSome(pool, sellerId, moveId))) return;
}

/** Spreads the slices of all moves that requests left over. */
export async function spreadMoves(
  sweep: { pool: pg.Pool } & Parameters<typeof finishEach>[2],
): Promise<void> {
  const moves = await queryRows<{ seller_id: number; move_id: number }>(
    sweep.pool,
    "select seller_id, move_id from period_move where spread_after is not null order by move_id",
  );
  await finishEach(
    moves,
    ({ seller_id, move_id }) => spreadSome(sweep.pool, seller_id, move_id),
    sweep,
  );
}

/**
 * Spreads one slice of a move.
 * @returns false if nothing is left, or others do it
 */
const spreadSome = (pool: pg.Pool, sellerId: number, moveId: number) =>
  transaction(pool, async (database) => {
    // The lock makes an undo wait, so that no slice is spread after the undo.
    const move = await queryRow<{ spread_after: number; is_undone: boolean }>(
      database,
      `select spread_after, undone_at is not null as is_undone from period_move
       where seller_id = $1 and move_id = $2 and spread_after is not null
       for no key update skip locked`,
      [sellerId, moveId],
    );
    if (!move) return false;
    const { spread_after, is_undone } = move;
    const through = spread_after + SLICE;
    await database.query(is_undone ? TAKE : GIVE, [sellerId, moveId, spread_after, through]);
    await database.query(
      `update period_move m set spread_after = case when $3 < s.last_position then $3 end
       from seller s where m.seller_id = $1 and s.seller_id = $1 and m.move_id = $2`,
      [sellerId, moveId, through],
    );
    return true;
  });

/**
 * Undoes a move for all whose billing date has not come yet; the others keep the new price.
 * `spreadMove` then takes it from the subscriptions.
 * @returns the move's id and the number of these subscribers; null if there is no such move
 */
export async function beginUndo(
  database: Database,
  { seller_id }: Seller,
  moveId: number,
  now: Date,
): Promise<{ id: number; undone: number } | null> {
  const { rowCount } = await database.query(
    `update period_move set undone_at = coalesce(undone_at, $3), spread_after = 0
     where seller_id = $1 and move_id = $2`,
    [seller_id, moveId, now],
  );
  if (rowCount === 0) return null;
  const undone = await queryValue<number>(database, `select count(*)::int as count ${UNDONE}`, [
    seller_id,
    moveId,
  ]);
  return { id: moveId, undone: undone ?? 0 };
}

/** How many subscribers each billing period of a product has, and the move they wait for. */
export const countSubscribers = (
  database: Database,
  { seller_id }: Seller,
  productId: string,
  now: Date,
) =>
  queryRows<ProductSubscribers["periods"][number]>(
    database,
    `with known as materialized (
       select s.pbp_id, s.move_id, count(*)::int as subscribers,
         count(*) filter (where not (${dayOf("s.next_billing_cycle")} > ${dayOf("m.created_at")}
           and ${dayOf("s.next_billing_cycle")} <= ${dayOf("$3::timestamptz")}))::int as waiting
       from subscription s join seller using (seller_id)
       left join period_move m on m.seller_id = s.seller_id and m.move_id = s.move_id
       where s.seller_id = $1 and s.product_id = $2
         and s.status in ('active', 'due', 'pending_cancellation')
         and is_subscriber(s.status, s.is_one_time)
       group by s.pbp_id, s.move_id)
     select b.pbp_id,
       (select coalesce(sum(k.subscribers), 0)::int from known k where k.pbp_id = b.pbp_id)
         as subscribers,
       (select json_build_object('id', m.move_id, 'to', m.to_pbp_id, 'waiting',
            (select coalesce(sum(k.waiting), 0) from known k where k.move_id = m.move_id))
          from period_move m
          where m.seller_id = $1 and m.from_pbp_id = b.pbp_id and m.undone_at is null
          order by m.move_id desc limit 1) as move
     from billing_period b join plan l using (seller_id, plan_id)
     where b.seller_id = $1 and l.product_id = $2
     order by l.plan_order, b.period_order, b.pbp_id`,
    [seller_id, productId, now],
  );

const dayOf = (moment: string) => `(${moment} at time zone zone_name(seller.time_zone))::date`;
const UNDONE = `from subscription s join period_move m using (seller_id, move_id)
  join seller on seller.seller_id = s.seller_id
  where s.seller_id = $1 and s.move_id = $2 and is_subscriber(s.status, s.is_one_time)
    and not (${dayOf("s.next_billing_cycle")} > ${dayOf("m.created_at")}
      and ${dayOf("s.next_billing_cycle")} <= ${dayOf("m.undone_at")})`;
const IN_SLICE = "s.position > $3 and s.position <= $4";
const TAKE = `update subscription set move_id = null where seller_id = $1 and subscription_id in (
    select s.subscription_id ${UNDONE} and ${IN_SLICE})`;
const GIVE = `update subscription s set move_id = m.move_id from period_move m
  where m.seller_id = $1 and m.move_id = $2 and s.seller_id = $1 and ${IN_SLICE}
    and s.pbp_id = m.from_pbp_id and is_subscriber(s.status, s.is_one_time)
    and not exists (
      select from subscription o
      where o.seller_id = $1 and o.customer_id = s.customer_id
        and o.pbp_id = m.to_pbp_id and is_subscriber(o.status, o.is_one_time))`;

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
      "subscribers can move only between billing periods of the same plan and interval",
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
       select b.pbp_id from billing_period b join later l on b.seller_id = $1 and b.replaces = l.pbp_id
     )
     select b.pbp_id from later join billing_period b using (pbp_id)
     where b.seller_id = $1 and ${VISIBLE_PERIOD}`,
    [sellerId, pbpId],
  );
