import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";

export interface BuyerRecords {
  customer: Customer;
  /** The subscriptions found so far, newest first. */
  subscriptions: Subscription[];
  isLooking: boolean;
}

const DETAILS = ["full_name", "email", "address"] as const;
type Detail = (typeof DETAILS)[number];
export type KnownDetails = Record<Detail, string>;

/** The details of a buyer who has had a subscription, as the form takes them. */
export function clientAgain({
  billing,
  shipping,
  ...buyer
}: Subscription["client"]): CreateSubscriptionValues["client"] {
  const { business_name, email, address, pan_vat } = billing ?? {};
  return {
    ...buyer,
    ...(business_name &&
      email &&
      address && {
        billing: {
          billing_business_name: business_name,
          billing_email: email,
          billing_address: address,
          billing_pan_vat: pan_vat || null,
        },
      }),
    ...(shipping?.phone && shipping.full_name && shipping.email && { shipping }),
  };
}

/**
 * The buyer's details: name and email from the customer's record, else from the newest subscription; the
 * address from the newest subscription that has one.
 * @param had the details to use for those that are missing
 */
export function knownDetailsOf(
  { customer, subscriptions }: BuyerRecords,
  had: KnownDetails = NO_DETAILS,
): KnownDetails {
  const client = subscriptions[0]?.client;
  return {
    full_name: customer.full_name || client?.full_name || had.full_name,
    email: customer.buyer_email || client?.email || had.email,
    address: subscriptions.find((one) => one.client.address)?.client.address ?? had.address,
  };
}

export const NO_DETAILS: KnownDetails = { full_name: "", email: "", address: "" };

/**
 * The fields to overwrite: those that still hold what was filled in before. With another phone number
 * the details of another customer, or none, replace them.
 */
export function detailsToFill(
  known: KnownDetails,
  typed: Partial<Record<Detail, string | undefined>>,
  filled: KnownDetails,
): Detail[] {
  return DETAILS.filter((field) => {
    const text = typed[field]?.trim() ?? "";
    return text === filled[field].trim() && text !== known[field].trim();
  });
}

interface ExistingSubscriptions {
  /** An active subscription with the chosen period: the service refuses a second. */
  active: Subscription | null;
  /** An unpaid subscription to the chosen plan: the service reuses it. */
  waiting: Subscription | null;
}

/** The customer's subscriptions that affect a new one. Records name the plan, without its id. */
export function existingSubscriptions(
  { subscriptions }: Pick<BuyerRecords, "subscriptions">,
  chosen: { product_id: string; plan_name: string; pbp_id: string },
): ExistingSubscriptions {
  const active = subscriptions.find(
    ({ status, product }) => status === "active" && product.pbp_id === chosen.pbp_id,
  );
  const waiting = subscriptions.find(
    ({ status, product }) =>
      status === "pending_checkout" &&
      product.product_id === chosen.product_id &&
      product.plan_name === chosen.plan_name,
  );
  return { active: active ?? null, waiting: waiting ?? null };
}
