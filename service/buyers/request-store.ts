import type { BuyerRequest } from "#contract/buyer-requests.ts";
import type { BuyerRequestKind } from "#contract/names.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";

const COLUMNS = `q.request_id as id, q.subscription_id, s.full_name, p.name as product_name, q.kind,
  q.until::text as until, q.words, q.state, wire_time(q.asked_at) as asked_at,
  wire_time(q.ended_at) as ended_at, q.answered_by, q.answer`;
const FROM = `from buyer_request q join subscription s using (seller_id, subscription_id)
  join product p on p.seller_id = s.seller_id and p.product_id = s.product_id`;

interface Narrowed {
  id?: string;
  is_open?: boolean | undefined;
  subscription_id?: string | undefined;
  before?: string | undefined;
}

/** The requests of a seller's buyers, newest first. */
export function selectRequests(
  database: Database,
  sellerId: number,
  { id, is_open, subscription_id, before }: Narrowed,
  limit: number,
): Promise<BuyerRequest[]> {
  const values: unknown[] = [sellerId, limit];
  const at = (value: unknown) => `$${values.push(value)}`;
  const parts = [
    id === undefined ? "" : ` and q.request_id = ${at(id)}`,
    is_open === undefined ? "" : ` and (q.state = 'open') = ${at(is_open)}`,
    subscription_id === undefined ? "" : ` and q.subscription_id = ${at(subscription_id)}`,
    before === undefined
      ? ""
      : ` and (q.asked_at, q.request_id) < (select asked_at, request_id from buyer_request
           where seller_id = $1 and request_id = ${at(before)})`,
  ];
  return queryRows<BuyerRequest>(
    database,
    `select ${COLUMNS} ${FROM} where q.seller_id = $1${parts.join("")}
     order by q.asked_at desc, q.request_id desc limit $2`,
    values,
  );
}

export const countOpenRequests = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select count(*)::int from buyer_request where seller_id = $1 and state = 'open'",
    [sellerId],
  )) ?? 0;

interface LockedRequest {
  request_id: string;
  subscription_id: string;
  kind: BuyerRequestKind;
  until: string | null;
  state: BuyerRequest["state"];
  answered_by: string | null;
}

/** A request of a seller's buyer, locked until the transaction ends. */
export const lockRequest = (database: Database, sellerId: number, id: string) =>
  queryRow<LockedRequest>(
    database,
    `select request_id, subscription_id, kind, until::text as until, state, answered_by
     from buyer_request where seller_id = $1 and request_id = $2 for update`,
    [sellerId, id],
  );

export const endRequest = (
  database: Database,
  sellerId: number,
  { request_id }: Pick<LockedRequest, "request_id">,
  {
    state,
    at,
    by,
    answer,
  }: {
    state: "accepted" | "declined" | "withdrawn";
    at: Date;
    by: string | null;
    answer: string;
  },
) =>
  database.query(
    `update buyer_request set state = $2, ended_at = $3, answered_by = $4, answer = $5
     where seller_id = $6 and request_id = $1`,
    [request_id, state, at, by, answer, sellerId],
  );

/** Stores a buyer's request, unless one for the subscription is open. */
export const insertRequest = (
  database: Database,
  request: {
    seller_id: number;
    subscription_id: string;
    kind: BuyerRequestKind;
    until: string | null;
    words: string;
    at: Date;
  },
) =>
  database.query(
    `insert into buyer_request (seller_id, subscription_id, kind, until, words, asked_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict do nothing`,
    [
      request.seller_id,
      request.subscription_id,
      request.kind,
      request.until,
      request.words,
      request.at,
    ],
  );

/** The newest request for each of the subscriptions. */
export const selectNewestRequests = (database: Database, sellerId: number, ids: string[]) =>
  queryRows<BuyerRequest>(
    database,
    `select distinct on (q.subscription_id) ${COLUMNS} ${FROM}
     where q.seller_id = $1 and q.subscription_id = any ($2)
     order by q.subscription_id, q.asked_at desc, q.request_id desc`,
    [sellerId, ids],
  );

/** The number of requests for a subscription since a moment. */
export const countRequests = async (
  database: Database,
  sellerId: number,
  subscriptionId: string,
  since: Date,
): Promise<number> =>
  (await queryValue<number>(
    database,
    `select count(*)::int from buyer_request
     where seller_id = $1 and subscription_id = $2 and asked_at > $3`,
    [sellerId, subscriptionId, since],
  )) ?? 0;
