import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { isAfterPlace, placeOf } from "#lib/format/moment-place.ts";
import type { ReceivedDelivery, ReceivedRow, ReceiverState } from "./queries.ts";
import { receiverUrl } from "./rules.ts";
import { Scheme } from "./scheme.ts";
import type { ReceivedSearch } from "./search.ts";

const PAGE = 50;
const DAYS_COUNTED = 30;

export async function getReceiver(
  scope: Scope,
  search: ReceivedSearch,
): Promise<ReceiverState> {
  const { owner } = await requireSeller(scope, "webhooks:read");
  return readReceiver(database(), owner, env().NEXTAUTH_URL, search);
}

interface Row extends Omit<ReceiverState, "url" | "scheme" | "next" | "latest"> {
  latest: (ReceivedRow & { place: string })[] | null;
  token: string | null;
  scheme: unknown;
}

/** What is kept outlives the connection, and with it the address. */
export async function readReceiver(
  db: Database,
  { seller_id, mode }: KeyOwner,
  baseUrl: string,
  { before }: ReceivedSearch = { before: null },
): Promise<ReceiverState> {
  // Each part by an index of its own: what is kept for ever grows, and a page asks every few seconds.
  const { rows } = await db.query<Row>(
    `select r.token, r.scheme, r.registered_at, r.missing,
            coalesce(r.registrations <> '{}', false) as was_registered,
            (select coalesce(json_agg(json_build_object('id', id::text, 'webhook_id', webhook_id,
                      'event', event, 'added_at', added_at, 'ends_at', ends_at) order by id), '[]')
               from receiver_secret where seller_id = $1 and mode = $2
                and (ends_at is null or ends_at > now())) as secrets,
            (select coalesce(json_object_agg(verdict, count), '{}')
               from (select verdict, count(*) from received_delivery
                      where seller_id = $1 and mode = $2
                        and received_at > now() - interval '${DAYS_COUNTED} days'
                      group by verdict) c) as counts,
            (select received_at from received_delivery
              where seller_id = $1 and mode = $2 and verdict = 'verified'
              order by received_at desc limit 1) as last_verified_at,
            (select coalesce(json_agg(l), '[]') from
              (select id::text, delivery_id, received_at, signed_at, verdict, reason, event,
                      subscription_id, new_status, body is not null as has_body,
                      ${placeOf("received_at", "id")} as place
                 from received_delivery
                where seller_id = $1 and mode = $2
                  ${before === null ? "" : `and ${isAfterPlace("received_at", "id", "$3")}`}
                order by received_delivery.received_at desc, received_delivery.id desc
                limit ${PAGE + 1}) l) as latest
       from (select $1::uuid as seller_id, $2::text as mode) o
       left join receiver r on r.seller_id = o.seller_id and r.mode = o.mode`,
    [seller_id, mode, ...(before === null ? [] : [before])],
  );
  const [row] = rows;
  const latest = row?.latest ?? [];
  return {
    url: row?.token ? receiverUrl(row.token, baseUrl) : null,
    registered_at: row?.registered_at ?? null,
    was_registered: row?.was_registered ?? false,
    missing: row?.missing ?? [],
    scheme: Scheme.safeParse(row?.scheme).data ?? null,
    secrets: row?.secrets ?? [],
    counts: row?.counts ?? {},
    last_verified_at: row?.last_verified_at ?? null,
    latest: latest.slice(0, PAGE),
    next: latest.length > PAGE ? (latest[PAGE - 1]?.place ?? null) : null,
  };
}

export async function getReceivedDelivery(scope: Scope, id: string): Promise<ReceivedDelivery> {
  const { owner } = await requireSeller(scope, "webhooks:read");
  return readReceivedDelivery(database(), owner, id);
}

/**
 * As it came, as far as it was kept.
 * @throws AppError `validation` for what is no id, `not_found` also where its body was not kept
 */
export async function readReceivedDelivery(
  db: Database,
  { seller_id, mode }: KeyOwner,
  id: string,
): Promise<ReceivedDelivery> {
  if (!/^[1-9]\d{0,17}$/.test(id))
    throw new AppError({ kind: "validation", fields: {}, detail: null });
  const { rows } = await db.query<
    Omit<ReceivedDelivery, "received_at"> & { received_at: Date }
  >(
    `select id::text, headers, body, received_at from received_delivery
      where seller_id = $1 and mode = $2 and id = $3::bigint and body is not null`,
    [seller_id, mode, id],
  );
  const [row] = rows;
  if (!row) throw new AppError({ kind: "not_found" });
  return { ...row, received_at: row.received_at.toISOString() };
}
