import { randomBytes } from "node:crypto";
import type { SharedLink } from "#contract/products.ts";
import type { CodesOfOne, SentCode } from "../checkout/codes.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import { maskedPhoneSql, ORDER_CAUSE } from "../messages/outbox.ts";
import { VISIBLE_PERIOD } from "../products/store.ts";
import { sellerAt } from "../sellers/store.ts";

/** A shared link with what its page shows. */
export interface OpenLink {
  shared_link_id: number;
  seller_id: number;
  link_key: string;
  is_active: boolean;
  pbp_id: string;
  product_id: string;
  product_name: string;
  description: string;
  terms_and_conditions: string;
  plan_name: string;
  label: string;
  currency: string;
  interval_type: string;
  /** Whether the billing period is on sale. */
  is_on_sale: boolean;
  /**
   * Where the seller wants its buyers to return; null to return to the seller's page for buyers.
   */
  return_url: string | null;
}

export const selectLink = (database: Database, key: string) =>
  queryRow<OpenLink>(
    database,
    `select h.shared_link_id, h.seller_id, h.link_key, h.is_active, b.pbp_id, p.product_id,
       p.name as product_name, p.description, p.terms_and_conditions, l.plan_name, b.label,
       b.currency, b.interval_type, p.is_active and ${VISIBLE_PERIOD} as is_on_sale, s.return_url
     from shared_link h join billing_period b using (seller_id, pbp_id)
       join plan l using (seller_id, plan_id) join product p using (seller_id, product_id)
       join seller s using (seller_id)
     where h.seller_id = ${sellerAt("md5($1)::uuid")} and h.link_key = $1`,
    [key],
  );

/** How many subscriptions that began at a link are listed. */
const NEWEST = 20;

type LinkRow = Omit<SharedLink, "address" | "created_at"> & {
  link_key: string;
  created_at: Date;
};

/** The links of a product's billing periods. */
export const selectLinksOf = (database: Database, sellerId: number, productId: string) =>
  queryRows<LinkRow>(
    database,
    `select h.pbp_id, h.link_key, h.is_active, h.created_at,
       count(o.order_id)::int as subscriptions,
       (count(o.order_id) filter (where exists (
         select from payment y
         where y.seller_id = o.seller_id and y.subscription_id = o.subscription_id)))::int as paid,
       array(
         select json_build_object('subscription_id', n.subscription_id, 'full_name', n.full_name,
             'ordered_at', n.created_at, 'is_paid', exists (select from payment y
               where y.seller_id = n.seller_id and y.subscription_id = n.subscription_id))
           from shared_link_order e join subscription n using (seller_id, subscription_id)
          where e.seller_id = h.seller_id and e.shared_link_id = h.shared_link_id and e.is_origin
          order by e.created_at desc, e.order_id limit ${NEWEST}) as newest
     from shared_link h join billing_period b using (seller_id, pbp_id)
       join plan l using (seller_id, plan_id) left join shared_link_order o
         on o.seller_id = h.seller_id and o.shared_link_id = h.shared_link_id and o.is_origin
     where h.seller_id = $1 and l.product_id = $2
     group by h.seller_id, h.shared_link_id, l.plan_order, b.period_order
     order by l.plan_order, b.period_order, h.pbp_id`,
    [sellerId, productId],
  );

export const isOfSeller = async (database: Database, sellerId: number, productId: string) =>
  (await queryValue<boolean>(
    database,
    "select true from product where seller_id = $1 and product_id = $2",
    [sellerId, productId],
  )) ?? false;

interface OfPeriod {
  seller_id: number;
  pbp_id: string;
}

/** Locks a product's billing period, and tells if it is on sale; the product may be off sale. */
export const selectPeriodOf = (
  database: Database,
  { seller_id, productId, pbp_id }: OfPeriod & { productId: string },
) =>
  queryRow<{ is_visible: boolean }>(
    database,
    `select ${VISIBLE_PERIOD} as is_visible from billing_period b join plan l using (seller_id, plan_id)
     where b.seller_id = $1 and l.product_id = $2 and b.pbp_id = $3 for update of b`,
    [seller_id, productId, pbp_id],
  );

/** The part of an address that nobody can guess. */
export const newLinkKey = () => randomBytes(12).toString("hex");

/** Switches the link on, with that key if there was none. */
export const openLink = (database: Database, link: OfPeriod & { link_key: string; at: Date }) =>
  database.query(
    `insert into shared_link (seller_id, pbp_id, link_key, created_at) values ($1, $2, $3, $4)
     on conflict (seller_id, pbp_id) do update set is_active = true`,
    [link.seller_id, link.pbp_id, link.link_key, link.at],
  );

export const pauseLink = (database: Database, { seller_id, pbp_id }: OfPeriod) =>
  database.query(
    "update shared_link set is_active = false where seller_id = $1 and pbp_id = $2",
    [seller_id, pbp_id],
  );

/** Gives the link another address; the earlier one leads nowhere. */
export const renewLink = (
  database: Database,
  { seller_id, pbp_id, link_key }: OfPeriod & { link_key: string },
) =>
  database.query("update shared_link set link_key = $3 where seller_id = $1 and pbp_id = $2", [
    seller_id,
    pbp_id,
    link_key,
  ]);

/** What a buyer filled in. */
export interface Details {
  full_name: string;
  phone: string;
  email: string;
  address: string;
}

export interface Order extends Details, SentCode {
  order_id: string;
  seller_id: number;
  shared_link_id: number;
  phone_key: string;
  /** The subscription that the order led to; null until it is confirmed. */
  subscription_id: string | null;
}

const ORDER = `select order_id, seller_id, shared_link_id, phone_key, full_name, phone, email, address,
  code_hash, wrong_codes, state, created_at, expires_at, subscription_id from shared_link_order
  where seller_id = $1 and shared_link_id = $2 and order_id = $3`;

type OrderLink = Pick<OpenLink, "seller_id" | "shared_link_id">;

/** Matches the link too: an order's id opens nothing at another link. */
export const selectOrder = (database: Database, link: OrderLink, id: string) =>
  queryRow<Order>(database, ORDER, [link.seller_id, link.shared_link_id, id]);

/** Locks the order until the transaction ends, so that simultaneous tries are all counted. */
export const lockOrder = (database: Database, link: OrderLink, id: string) =>
  queryRow<Order>(database, `${ORDER} for update`, [link.seller_id, link.shared_link_id, id]);

/** Makes orders at a seller run one after the other in all processes, so that they are counted. */
export const lockOrders = (database: Database, sellerId: number) =>
  database.query("select pg_advisory_xact_lock(73, ($1::bigint % 2147483647)::int)", [
    sellerId,
  ]);

export interface OrderCounts extends CodesOfOne {
  ofSeller: number;
  ofLink: number;
  /** Whether an order for the number was made just now and is unused. */
  hasUnusedNew: boolean;
}

/**
 * Counts the orders of the last hour. A confirmed order no longer has number and network: the
 * number is found with the subscription's buyer, and the order counts for every network.
 */
export async function countOrders(
  database: Database,
  {
    seller_id,
    shared_link_id,
    phone_key,
    network,
  }: Pick<Order, "seller_id" | "shared_link_id" | "phone_key"> & { network: string },
  { hourAgo, justNow }: { hourAgo: Date; justNow: Date },
): Promise<OrderCounts> {
  const counted = await queryRow<OrderCounts>(
    database,
    `select count(*)::int as "ofSeller",
       (count(*) filter (where o.shared_link_id = $2))::int as "ofLink",
       (count(*) filter (where $3 in (o.phone_key, k.phone_key)))::int as "ofAll",
       (count(*) filter (where $3 in (o.phone_key, k.phone_key) and o.network in ($6, '')))::int
         as "ofNetwork",
       coalesce(bool_or(o.created_at > $5 and o.state <> 'done')
         filter (where o.phone_key = $3), false) as "hasUnusedNew"
     from shared_link_order o left join subscription s
         on s.seller_id = o.seller_id and s.subscription_id = o.subscription_id
       left join customer k on k.seller_id = s.seller_id and k.id = s.customer_id
     where o.seller_id = $1 and o.created_at > $4`,
    [seller_id, shared_link_id, phone_key, hourAgo, justNow, network],
  );
  return counted ?? { ofSeller: 0, ofLink: 0, ofAll: 0, ofNetwork: 0, hasUnusedNew: false };
}

export const insertOrder = (
  database: Database,
  order: Omit<Order, "state" | "wrong_codes" | "subscription_id"> & { network: string },
) =>
  database.query(
    `insert into shared_link_order (order_id, seller_id, shared_link_id, phone_key, full_name, phone,
       email, address, code_hash, created_at, expires_at, network)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      order.order_id,
      order.seller_id,
      order.shared_link_id,
      order.phone_key,
      order.full_name,
      order.phone,
      order.email,
      order.address,
      order.code_hash,
      order.created_at,
      order.expires_at,
      order.network,
    ],
  );

export const countWrongCodeOfOrder = (
  database: Database,
  { seller_id, order_id }: Pick<Order, "seller_id" | "order_id">,
  { wrong_codes, state }: Pick<Order, "wrong_codes" | "state">,
) =>
  database.query(
    `update shared_link_order set wrong_codes = $3, state = $4
     where seller_id = $1 and order_id = $2`,
    [seller_id, order_id, wrong_codes, state],
  );

/** Ends an order. Its details are deleted, because the subscription has them. */
export const finishOrder = (
  database: Database,
  { seller_id, order_id }: Pick<Order, "seller_id" | "order_id">,
  { subscription_id, is_origin }: { subscription_id: string; is_origin: boolean },
) =>
  database.query(
    `update shared_link_order set state = 'done', subscription_id = $2, is_origin = $3,
       phone_key = '', full_name = '', phone = '', email = '', address = '', network = ''
     where seller_id = $4 and order_id = $1`,
    [order_id, subscription_id, is_origin, seller_id],
  );

/**
 * Deletes orders that expired unconfirmed, and masks the number in their messages, which the seller
 * may not know.
 * @returns how many
 */
export async function deleteEndedOrders(
  database: Database,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `with ended as (
       select order_id, seller_id from shared_link_order
       where subscription_id is null and expires_at < $1 limit $2 for update skip locked
     ), hidden as (
       update message m set phone = ${maskedPhoneSql("m.phone")} from ended e
       where m.seller_id = e.seller_id and m.cause = '${ORDER_CAUSE}' || e.order_id
     )
     delete from shared_link_order where (seller_id, order_id) in (
       select seller_id, order_id from ended)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
