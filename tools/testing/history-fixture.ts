import type pg from "pg";
import type { Product } from "#contract/products.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordSeenPayments } from "#lib/search-index/sync/seen-payments.ts";
import { makeSubscription, storeRecords } from "./records-fixture.ts";

/** A subscription as a sync saw it; times are ISO 8601. */
export interface Version {
  at: string;
  status: string;
  start: string | null;
  next: string | null;
  price: string;
  currency: string;
  pbp_id: string;
}

/** All versions of one subscription, oldest first. */
export interface History {
  id: string;
  created_at: string;
  product: string;
  plan: string;
  versions: Version[];
}

/** What the search index knows of a seller, and since when. */
export interface Known {
  histories: History[];
  known_since: string;
  /** Intervals such as "month:3" of the listed periods, by pbp_id. */
  listed: Record<string, string>;
}

export function recordOf({ id, created_at, product, plan }: History, version: Version) {
  const { status, start, next, price, currency, pbp_id } = version;
  return makeSubscription({
    subscription_id: id,
    created_at,
    status: status as Subscription["status"],
    is_active: status === "active",
    current_period_start: start,
    current_period_end: next,
    next_billing_cycle: next,
    product: { product_id: product, name: product, plan_name: plan, price, currency, pbp_id },
  });
}

/** Stores version after version as the sync would have done, and dates the recorded changes. */
export async function storeHistory(pool: pg.Pool, owner: KeyOwner, known: Known) {
  const whose = [owner.seller_id, owner.mode];
  const { listed, histories } = known;
  await storeRecords(pool, owner, { products: [productWith(listed)] });
  const looks = histories.flatMap((history) =>
    history.versions.map((version) => ({ at: version.at, record: recordOf(history, version) })),
  );
  const byMoment = Map.groupBy(looks, ({ at }) => at);
  for (const at of [...byMoment.keys()].toSorted()) {
    const subscriptions = byMoment.get(at)?.map(({ record }) => record) ?? [];
    await storeRecords(pool, owner, { subscriptions });
    await pool.query(
      `update mirror_change set seen_at = $3
        where seller_id = $1 and mode = $2 and seen_at > now() - interval '1 hour'`,
      [...whose, at],
    );
  }
  for (const { id, versions } of histories)
    await pool.query(
      `update mirror_subscription set first_seen_at = $4
        where seller_id = $1 and mode = $2 and id = $3`,
      [...whose, id, versions[0]?.at],
    );
  await pool.query(
    `update mirror_change c set born_at = least(s.created_at, s.first_seen_at)
       from mirror_subscription s
      where s.seller_id = $1 and s.mode = $2 and c.seller_id = $1 and c.mode = $2
        and c.subscription_id = s.id`,
    whose,
  );
  await recordSeenPayments(pool, owner);
  await pool.query("update mirror set filled_at = $3 where seller_id = $1 and mode = $2", [
    ...whose,
    known.known_since,
  ]);
}

/** Listed periods have 13 % VAT and an offer of 10 off on its days. */
const LISTED_PRICE = "100.00";
const OFFER = {
  id: "offer",
  discount_amount: 10,
  starts_at: "2026-02-20",
  valid_until: "2026-12-05",
  is_active: true,
};

/** The amount that the checkout asks for on a day, computed independently. */
export function askedOf({ listed }: Known, version: Version, day: string): string {
  const { price, currency, pbp_id } = version;
  if (!listed[pbp_id] || price !== LISTED_PRICE || currency !== "NPR") return price;
  return OFFER.starts_at <= day && day <= OFFER.valid_until ? "101.70" : "113.00";
}

function productWith(listed: Record<string, string>): Product {
  const billing_periods = Object.entries(listed).map(([pbp_id, every]) => {
    const [interval_type, count] = every.split(":");
    return {
      pbp_id,
      interval_type: interval_type as "month",
      interval_count: Number(count),
      label: every,
      price: LISTED_PRICE,
      currency: "NPR",
      is_current: true,
      is_limited: false,
      is_archived: false,
      offers: [OFFER],
    };
  });
  return {
    product_id: "p-listed",
    name: "Listed",
    description: "",
    type: "simple",
    is_active: true,
    terms_and_conditions: "",
    features_and_benefits: "",
    vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: 13 },
    product_image: [],
    plan: [{ plan_id: "plan", plan_name: "Gold", description: "", billing_periods }],
    total_subscribers: "0",
    created_at: "2020-01-01T00:00:00Z",
    updated_at: "2020-01-01T00:00:00Z",
  };
}
