import type { Customer } from "#contract/customers.ts";
import type { Subscription } from "#contract/subscriptions.ts";

/** A customer, and their subscriptions as far as those were found, newest first. */
export interface Known {
  customer: Customer;
  subscriptions: Subscription[];
  isLooking: boolean;
}

export interface KnownDetails {
  full_name: string;
  email: string;
  address: string;
}

/** The customer's own record first; what it lacks, as the newest subscription has it. */
export function detailsOf({ customer, subscriptions }: Known): KnownDetails {
  const client = subscriptions[0]?.client;
  return {
    full_name: customer.full_name || client?.full_name || "",
    email: customer.buyer_email || client?.email || "",
    address: subscriptions.find((one) => one.client.address)?.client.address ?? "",
  };
}

const DETAILS = ["full_name", "email", "address"] as const;
type Detail = (typeof DETAILS)[number];

export const NOTHING: KnownDetails = { full_name: "", email: "", address: "" };

/**
 * The fields that are to hold something else: those that nobody typed into since `filled` was written.
 * They go with the phone: another buyer's details, or none, take their place.
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

interface InTheWay {
  /** An active one of the chosen period: the service refuses a second. */
  active: Subscription | null;
  /** One of the chosen plan that waits for payment: the service takes it again. */
  waiting: Subscription | null;
}

/** What of theirs the chosen period meets. The record names its plan by name alone. */
export function inTheWay(
  { subscriptions }: Pick<Known, "subscriptions">,
  chosen: { product_id: string; plan_name: string; pbp_id: string },
): InTheWay {
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
