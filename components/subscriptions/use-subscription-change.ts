import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useScope } from "#components/layout/seller-context.tsx";
import { useAction } from "#components/layout/use-action.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Scope } from "#lib/auth/scope.ts";
import {
  cancelSubscriptionAction,
  rescheduleSubscriptionAction,
  resumeSubscriptionAction,
} from "#lib/subscriptions/actions.ts";
import { subscriptionQuery, subscriptionsKey } from "#lib/subscriptions/queries.ts";
import type { Outcome, Wish } from "./change-outcome.ts";

export type SubscriptionChange = ReturnType<typeof useSubscriptionChange>;

/** The dialogs of one subscription's page, what was asked for in them, and what came of it. */
export function useSubscriptionChange(subscription_id: string) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"cancel" | "reschedule" | null>(null);
  const [subscription, setSubscription] = useState<Subscription | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const { run, isPending, failure, clear } = useAction(async (wish: Wish) => {
    setOutcome(null);
    const result = await send(scope, subscription_id, wish).catch(() => UNANSWERED);
    const isUnknown = !result.ok && isLost(result.failure);
    const told: Outcome = { wish, changed: result.ok ? result.value : null };
    if (result.ok || isUnknown) {
      setOutcome(told);
      setDialog(null);
    }
    if (result.ok && result.value.record) {
      const { queryKey } = subscriptionQuery(scope, subscription_id);
      // An older reading that is still on its way must not come out on top.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, result.value.record);
    }
    // Also after a refusal: the record may not be what this page believed.
    const readAgain = queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
    if (isUnknown)
      void readAgain.then(() => {
        const found = findFresh(queryClient, scope, subscription_id);
        setOutcome((shown) => (shown === told ? { ...told, found } : shown));
      });
    return result;
  });

  return {
    dialog,
    /** What the dialog was opened on. */
    subscription,
    outcome,
    isPending,
    // A lost answer is told as an outcome, and needs no second notice.
    failure: failure && isLost(failure) ? null : failure,
    open: (wanted: "cancel" | "reschedule", of: Subscription) => {
      clear();
      setSubscription(of);
      setDialog(wanted);
    },
    close: () => setDialog(null),
    request: (wish: Wish) => void run(wish),
  };
}

/** The record, if it was read since it was declared stale. */
function findFresh(queryClient: QueryClient, scope: Scope, subscription_id: string) {
  const state = queryClient.getQueryState(subscriptionQuery(scope, subscription_id).queryKey);
  return state?.data && !state.error && !state.isInvalidated ? state.data.subscription : null;
}

const UNANSWERED = {
  ok: false,
  failure: { kind: "unavailable", outcome_unknown: true },
} as const;

const isLost = (failure: { kind: string; outcome_unknown?: boolean }) =>
  failure.kind === "unavailable" && failure.outcome_unknown === true;

function send(scope: Scope, subscription_id: string, wish: Wish) {
  switch (wish.operation) {
    case "cancel":
      return cancelSubscriptionAction(scope, { subscription_id });
    case "resume":
      return resumeSubscriptionAction(scope, { subscription_id });
    case "reschedule":
      return rescheduleSubscriptionAction(scope, {
        subscription_id,
        next_billing_cycle: wish.day,
        ...(wish.courtesy && { courtesy: wish.courtesy }),
      });
  }
}
