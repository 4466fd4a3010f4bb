import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useScope } from "#components/context/seller-context.tsx";
import type { Customer } from "#contract/customers.ts";
import {
  customerByPhoneQuery,
  customerQuery,
  customerSubscriptionsQuery,
} from "#lib/customers/queries.ts";
import { isSamePhone, phoneKey } from "#contract/phone-number.ts";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import type { BuyerRecords } from "./known-details.ts";

/**
 * Digits from which a number is searched while typing. A shorter one is searched when the field
 * loses the focus, because a search is slow.
 */
const WHOLE_NUMBER = 10;

export interface KnownCustomer {
  state: "none" | "looking" | "found" | "new" | "failed";
  known: BuyerRecords | null;
  /** In the state "new": how many of the newest customers were searched; null for all. */
  newest: number | null;
  isLinkBroken: boolean;
}

/**
 * Finds the customer with the typed phone number. The form works without an answer.
 * @param id the customer in the page's link; empty for none
 */
export function useKnownCustomer(id: string): KnownCustomer {
  const scope = useScope();
  const { linked, isLinkBroken } = useLinkedCustomer(id);
  const phone = useDebouncedPhone();
  const isLinked = linked !== undefined && isSamePhone(linked.buyer_phone, phone);
  const lookup = useQuery({
    ...customerByPhoneQuery(scope, isLinked ? "" : phone),
    ...ONCE,
  });
  const customer = isLinked ? linked : (lookup.data?.customer ?? null);
  const subscriptions = useInfiniteQuery({
    ...customerSubscriptionsQuery(scope, String(customer?.id)),
    ...ONCE,
    enabled: customer !== null,
  });
  const found = subscriptions.data?.pages.flatMap(({ results }) => results) ?? [];
  const isAsked = phoneKey(phone) !== "";
  return {
    state: customer ? "found" : isAsked ? stateOf(lookup) : "none",
    known: customer && { customer, subscriptions: found, isLooking: subscriptions.isPending },
    newest: lookup.data?.newest ?? null,
    isLinkBroken,
  };
}

// The lookup is optional, so it is not retried.
const ONCE = { retry: false, refetchInterval: false } as const;

function stateOf({ isError, isPending }: { isError: boolean; isPending: boolean }) {
  if (isError) return "failed";
  return isPending ? "looking" : "new";
}

function useDebouncedPhone(): string {
  const { getFieldState, formState } = useFormContext<CreateSubscriptionValues>();
  const phone = useWatch<CreateSubscriptionValues, "client.phone">({ name: "client.phone" });
  const text = phone ?? "";
  const isLeft = getFieldState("client.phone", formState).isTouched;
  return isLeft || phoneKey(text).length >= WHOLE_NUMBER ? text : "";
}

/** Fills in the phone number of the link's customer, once. */
function useLinkedCustomer(id: string): {
  linked: Customer | undefined;
  isLinkBroken: boolean;
} {
  const { getValues, setValue } = useFormContext<CreateSubscriptionValues>();
  const query = useQuery({ ...customerQuery(useScope(), id), ...ONCE, enabled: id !== "" });
  const isDone = useRef(false);
  const linked = query.data;
  useEffect(() => {
    if (!linked || isDone.current) return;
    isDone.current = true;
    if (!getValues("client.phone")) setValue("client.phone", linked.buyer_phone);
  }, [linked, getValues, setValue]);
  return { linked, isLinkBroken: query.isError };
}
