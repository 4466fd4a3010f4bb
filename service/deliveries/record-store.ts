import { concernsRow } from "#contract/process/database.ts";
import { queryValue, type Database } from "../db/database.ts";
import { PAUSED_LEASE } from "./claim-store.ts";

export interface AttemptOutcome {
  delivery_id: number;
  seller_id: number;
  webhook_id: number;
  subscription_id: string;
  endpoint_url: string;
  started_at: Date;
  duration_ms: number;
  signatures: string;
  response_code: number | null;
  response_body: string | null;
  error: string | null;
  state: "delivered" | "pending" | "failed";
  tries: number;
  next_at: Date | null;
  by_hand: boolean;
}

/**
 * The columns in the order of the parameters; arrays are read faster than a JSON document (ADR
 * 0051).
 */
const COLUMNS = [
  "delivery_id",
  "seller_id",
  "endpoint_url",
  "started_at",
  "duration_ms",
  "signatures",
  "response_code",
  "response_body",
  "error",
  "state",
  "tries",
  "next_at",
  "by_hand",
] as const satisfies (keyof AttemptOutcome)[];

/**
 * Stores attempts and the resulting states. A delivery that was changed in the meantime stays
 * as it is; retries to a newly paused endpoint are skipped.
 */
export const recordOutcomes = (database: Database, outcomes: AttemptOutcome[]) =>
  database.query(
    `with outcome as (
       select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[],
         $5::integer[], $6::text[], $7::smallint[], $8::text[], $9::text[], $10::text[],
         $11::smallint[], $12::timestamptz[], $13::boolean[])
         as o (delivery_id, seller_id, endpoint_url, started_at, duration_ms, signatures,
           response_code, response_body, error, state, tries, next_at, by_hand)
     ), attempts as (
       insert into delivery_attempt (delivery_id, seller_id, endpoint_url, started_at,
         duration_ms, signatures, response_code, response_body, error)
       select o.delivery_id, o.seller_id, o.endpoint_url, o.started_at, o.duration_ms,
         o.signatures, o.response_code, o.response_body, o.error
       from outcome o join delivery d on d.seller_id = o.seller_id and d.delivery_id = o.delivery_id
     )
     update delivery d set
       state = case when o.state = 'pending' and not (
           select is_active from webhook where seller_id = d.seller_id and id = d.webhook_id)
         then 'skipped' else o.state end,
       tries = o.tries,
       next_at = coalesce(o.next_at, d.next_at),
       first_attempt_at = coalesce(d.first_attempt_at, o.started_at),
       finished_at = case when o.state <> 'pending' then o.started_at end,
       by_hand = false
     from outcome o
     where d.seller_id = o.seller_id and d.delivery_id = o.delivery_id
       and (o.state = 'delivered' or d.state = 'pending') and d.tries = o.tries - 1
       and d.by_hand = o.by_hand`,
    COLUMNS.map((column) => outcomes.map((outcome) => outcome[column])),
  );

/** Releases deliveries that waited for an earlier one of these subscriptions. */
export const releaseWaitingDeliveries = (
  database: Database,
  delivered: Pick<AttemptOutcome, "seller_id" | "subscription_id">[],
) =>
  database.query(
    `update delivery d set next_at = '-infinity'
     from unnest($1::bigint[], $2::uuid[]) as o (seller_id, subscription_id)
     where d.seller_id = o.seller_id and d.subscription_id = o.subscription_id
       and d.state = 'pending' and d.first_attempt_at is null and d.next_at > '-infinity'`,
    [
      delivered.map(({ seller_id }) => seller_id),
      delivered.map(({ subscription_id }) => subscription_id),
    ],
  );

export const clearFailingEndpoints = (database: Database, delivered: AttemptOutcome[]) =>
  database.query(
    `update webhook w set failing_since = null
     from unnest($1::bigint[], $2::bigint[]) as o (seller_id, id)
     where w.seller_id = o.seller_id and w.id = o.id and w.failing_since is not null`,
    [
      delivered.map(({ seller_id }) => seller_id),
      delivered.map(({ webhook_id }) => webhook_id),
    ],
  );

export const markFailingEndpoint = (
  database: Database,
  { seller_id, webhook_id, started_at }: AttemptOutcome,
) =>
  database.query(
    `update webhook set failing_since = $3
     where seller_id = $1 and id = $2 and failing_since is null`,
    [seller_id, webhook_id, started_at],
  );

export interface NewNotice {
  seller_id: number;
  webhook_id: number;
  kind: "gone" | "failing";
  message: string;
  created_at: Date;
}

/** Switches an endpoint off with a reason. @returns false if it is already off */
export const switchOffWebhook = (database: Database, notice: NewNotice) =>
  concernsRow(
    database,
    `with off as (
       update webhook set is_active = false where seller_id = $5 and id = $1 and is_active
       returning id, seller_id
     )
     insert into webhook_notice (seller_id, webhook_id, kind, message, created_at)
     select seller_id, id, $2, $3, $4 from off`,
    [notice.webhook_id, notice.kind, notice.message, notice.created_at, notice.seller_id],
  );

export interface EndpointRelease {
  seller_id: number;
  address_key: string;
  lease: string;
  /** The end of the pause that the endpoint asked for, or else the time at which it was served. */
  free_at: Date;
  is_paused: boolean;
}

export const releaseEndpoints = (database: Database, releases: EndpointRelease[]) =>
  database.query(
    `update delivery_endpoint e set lease = case when r.is_paused then $2::uuid end, free_at = r.free_at
     from jsonb_to_recordset($1)
       as r (seller_id bigint, address_key uuid, lease uuid, free_at timestamptz, is_paused boolean)
     where e.seller_id = r.seller_id and e.address_key = r.address_key and e.lease = r.lease`,
    [JSON.stringify(releases), PAUSED_LEASE],
  );

/**
 * Skips some of the deliveries that an earlier pause left unsent.
 * @returns how many
 */
export const skipSomeDeliveries = async (
  database: Database,
  { id, seller_id }: { id: number; seller_id: number },
) =>
  (await queryValue<number>(database, "select skip_some_deliveries($1, $2)", [
    seller_id,
    id,
  ])) ?? 0;
