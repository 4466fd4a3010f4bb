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
import { isSamePhone, phoneKey } from "#lib/text/phone.ts";
import type { CreateSubscriptionValues } from "#components/subscriptions/create/create-subscription-values.ts";
import type { Known } from "./known-details.ts";

/** A shorter number is only asked about once its field is left: each answer takes a walk. */
const WHOLE_NUMBER = 10;

export interface KnownCustomer {
  state: "none" | "looking" | "found" | "new" | "failed";
  /** With what their subscriptions tell, as far as those were found. */
  known: Known | null;
  /** For "new": how many of the newest customers were searched; null for all. */
  newest: number | null;
  /** The customer of the page's link could not be read. */
  isLinkBroken: boolean;
}

/**
 * Whom the typed phone belongs to. Nothing waits for it: without an answer the form is as it was.
 * @param id the customer whom the page was opened for; empty for none
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
  const found = subscriptions.data?.pages.flatMap((page) => page.subscriptions) ?? [];
  const isAsked = phoneKey(phone) !== "";
  return {
    state: customer ? "found" : isAsked ? stateOf(lookup) : "none",
    known: customer && { customer, subscriptions: found, isLooking: subscriptions.isPending },
    newest: lookup.data?.newest ?? null,
    isLinkBroken,
  };
}

// An aid alone: it is not worth asking for again and again.
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

/** Writes the phone of the link's customer into the form, once. */
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
