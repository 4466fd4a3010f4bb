import type { CreatedSubscription, CreateSubscription } from "#contract/subscriptions.ts";
import { matchBuyer } from "../customers/store.ts";
import type { Database } from "../db/database.ts";
import { alreadyActive, ApiError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { lockSeller } from "../sellers/store.ts";
import { hasActiveDuplicate } from "./catch-up.ts";
import {
  findVisiblePeriod,
  insertPending,
  reusePending,
  type Order,
  type VisiblePeriod,
} from "./order-store.ts";
import type { BillingDetails } from "../customers/store.ts";
import type { ShippingDetails } from "./store.ts";

/**
 * Spec, POST create: a pending subscription of the same buyer and plan is reused with the new
 * values; an active one of the same buyer, product and period makes the request fail.
 */
export async function createSubscription(
  { database, seller, clock, publicUrl }: WriteContext,
  input: CreateSubscription,
): Promise<CreatedSubscription> {
  const period = await findVisiblePeriod(database, seller.seller_id, input.pbp_id);
  if (!period) throw new ApiError(400, { pbp_id: ["No such billing period is on offer."] });
  if (seller.api_usage_type === null)
    throw new ApiError(400, {
      api_usage_type: [
        "This account has no API usage type yet: set-seller --api-usage-type payment sets it.",
      ],
    });
  // One at a time per seller, so that positions follow creation times.
  await lockSeller(database, seller.seller_id);
  const now = clock();
  const order = await prepareOrder(database, seller.seller_id, period, input, now);
  const { customer_id } = order;
  if (await hasActiveDuplicate(database, seller, { customer_id, pbp_id: period.pbp_id }, now))
    throw alreadyActive();

  const { subscription_id, created_at } =
    (await reusePending(database, order, now)) ?? (await insertPending(database, order, now));
  return {
    subscription_id,
    pbp_id: input.pbp_id,
    status: "pending_checkout",
    checkout_url: `${publicUrl}/pay/${subscription_id}`,
    next_billing_cycle: null,
    created_at: created_at.toISOString(),
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
    seller_id,
    phone,
    full_name,
    email,
    address,
    created_at,
    billing: given,
  });
  return {
    seller_id,
    period,
    phone,
    full_name,
    email,
    address,
    return_url,
    customer_id: buyer.id,
    billing: given,
    profile_billing: buyer.billing,
    shipping: shippingDetails(client.shipping),
  };
}

// The request's field names differ from the answer's; null means "not given" and is dropped.
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
