import type { CreatedSubscription, CreateSubscription } from "#contract/subscriptions.ts";
import { matchBuyer, type BillingDetails } from "../customers/store.ts";
import { alreadyActiveError, ApiError } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { lockSeller } from "../sellers/store.ts";
import { hasActiveDuplicate } from "./catch-up.ts";
import {
  findVisiblePeriod,
  insertPendingSubscription,
  reusePendingSubscription,
  type SubscriptionOrder,
} from "./order-store.ts";
import type { ShippingDetails } from "./store.ts";

/**
 * Spec, POST create: a pending subscription of the same buyer and plan is reused with the new
 * values; an active one of the same buyer, product and period makes the request fail.
 */
export const createSubscription = async (
  write: WriteContext,
  input: CreateSubscription,
): Promise<CreatedSubscription> => (await createOrReuse(write, input)).created;

/** As `createSubscription`; also returns whether the subscription is new. */
export async function createOrReuse(
  { database, seller, clock, publicUrl }: WriteContext,
  input: CreateSubscription,
): Promise<{ created: CreatedSubscription; isNew: boolean }> {
  const period = await findVisiblePeriod(database, seller.seller_id, input.pbp_id);
  if (!period) throw new ApiError(400, { pbp_id: ["No such billing period is on offer."] });
  if (seller.api_usage_type === null)
    throw new ApiError(400, {
      api_usage_type: [
        "This account has no API usage type yet: set-seller --api-usage-type payment sets it.",
      ],
    });
  // One creation at a time per seller, so that positions follow creation times.
  await lockSeller(database, seller.seller_id);
  const now = clock();
  const { billing: givenBilling, shipping, ...buyer } = input.client;
  const billing = billingDetails(givenBilling);
  const profile = await matchBuyer(database, {
    ...buyer,
    seller,
    billing,
    created_at: now,
  });
  const key = { customer_id: profile.id, pbp_id: period.pbp_id };
  if (await hasActiveDuplicate(database, seller, key, now)) throw alreadyActiveError();

  const order: SubscriptionOrder = {
    ...buyer,
    seller_id: seller.seller_id,
    customer_id: profile.id,
    period,
    return_url: input.return_url,
    billing,
    profile_billing: profile.billing,
    shipping: shippingDetails(shipping),
  };
  const reused = await reusePendingSubscription(database, order, now);
  const { subscription_id, created_at } =
    reused ?? (await insertPendingSubscription(database, order, now));
  const created = {
    subscription_id,
    pbp_id: input.pbp_id,
    status: "pending_checkout",
    checkout_url: `${publicUrl}/pay/${subscription_id}`,
    next_billing_cycle: null,
    created_at: created_at.toISOString(),
  } as const;
  return { created, isNew: reused === null };
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
