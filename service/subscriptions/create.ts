import { randomUUID } from "node:crypto";
import type { CreatedSubscription, CreateSubscription } from "#contract/subscriptions.ts";
import type { ServiceContext } from "../app.ts";
import { matchBuyer } from "../customers/store.ts";
import { transaction, type Database } from "../db/database.ts";
import { ApiError, detail } from "../http/errors.ts";
import type { Seller } from "../sellers/store.ts";
import {
  findVisiblePeriod,
  hasActive,
  insertPending,
  reusePending,
  type BillingDetails,
  type Order,
  type ShippingDetails,
  type VisiblePeriod,
} from "./store.ts";

/**
 * Spec, POST create: a pending subscription of the same buyer and plan is reused, with whatever
 * was given now; an active one of the same buyer, product and period refuses the request.
 */
export async function createSubscription(
  { pool, now, publicUrl }: ServiceContext,
  seller: Seller,
  input: CreateSubscription,
): Promise<CreatedSubscription> {
  const stored = await transaction(pool, async (database) => {
    const period = await findVisiblePeriod(database, seller.seller_id, input.pbp_id);
    if (!period) throw new ApiError(400, { pbp_id: ["No such billing period is on offer."] });
    if (seller.api_usage_type === null)
      throw new ApiError(400, {
        api_usage_type: [
          "Choose an API usage type for this account before creating subscriptions.",
        ],
      });
    const order = await prepareOrder(database, seller.seller_id, period, input, now());
    if (await hasActive(database, order.customer_id, period.pbp_id, seller.seller_id))
      throw detail(
        400,
        "This buyer already has an active subscription for this billing period.",
      );

    const reused = await reusePending(database, order);
    if (reused) return reused;
    const fresh = { subscription_id: randomUUID(), created_at: now() };
    await insertPending(database, order, fresh);
    return fresh;
  });
  return {
    subscription_id: stored.subscription_id,
    pbp_id: input.pbp_id,
    status: "pending_checkout",
    checkout_url: `${publicUrl}/pay/${stored.subscription_id}`,
    next_billing_cycle: null,
    created_at: stored.created_at.toISOString(),
  };
}

async function prepareOrder(
  database: Database,
  seller_id: number,
  period: VisiblePeriod,
  { client, return_url }: CreateSubscription,
  created_at: Date,
): Promise<Order> {
  const { phone, full_name, email, address } = client;
  const given = billingDetails(client.billing);
  const buyer = await matchBuyer(database, {
    ...{ seller_id, phone, full_name, email, address, created_at },
    billing: given,
  });
  return {
    ...{ seller_id, period, phone, full_name, email, address, return_url },
    customer_id: buyer.id,
    billing: given,
    profile_billing: buyer.billing,
    shipping: shippingDetails(client.shipping),
  };
}

// The request's names differ from the answer's; null means "not given", so it is left out.
function billingDetails(
  given: CreateSubscription["client"]["billing"],
): Partial<BillingDetails> | null {
  if (!given) return null;
  return {
    business_name: given.billing_business_name,
    email: given.billing_email,
    address: given.billing_address,
    ...(given.billing_pan_vat == null ? {} : { pan_vat: given.billing_pan_vat }),
  };
}

function shippingDetails(
  given: CreateSubscription["client"]["shipping"],
): Partial<ShippingDetails> | null {
  if (!given) return null;
  const { address, ...required } = given;
  return address == null ? required : { ...required, address };
}
