import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { useAction } from "#components/forms/use-action.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { Scope } from "#lib/scope.ts";
import {
  cancelSubscriptionAction,
  rescheduleSubscriptionAction,
  resumeSubscriptionAction,
} from "#lib/subscriptions/actions.ts";
import { subscriptionQuery, subscriptionsKey } from "#lib/subscriptions/queries.ts";
import { isAsWished, type Outcome, type Wish } from "./change-outcome.ts";

export type SubscriptionChange = ReturnType<typeof useSubscriptionChange>;

/** The dialogs of one subscription's page, what was asked for in them, and what came of it. */
export function useSubscriptionChange(subscription_id: string) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"cancel" | "reschedule" | null>(null);
  const [subscription, setSubscription] = useState<Subscription | null>(null);
  const [told, setOutcome] = useState<Outcome | null>(null);
  const found = useRecordAfterLoss(subscription_id, told);
  const outcome = told && { ...told, found };

  const { run, isPending, failure, clear } = useAction(async (wish: Wish) => {
    setOutcome(null);
    const result = await send(scope, subscription_id, wish).catch(() => UNANSWERED);
    const isUnknown = !result.ok && isLost(result.failure);
    if (result.ok || isUnknown) {
      setOutcome(result.ok ? { wish, changed: result.value } : { wish, lost_at: Date.now() });
      setDialog(null);
    }
    if (result.ok && result.value.record) {
      const { queryKey } = subscriptionQuery(scope, subscription_id);
      // An older reading that is still on its way must not come out on top.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, result.value.record);
    }
    // Also after a refusal: the record may not be what this page believed.
    void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
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

const ASK_AGAIN_MS = 5_000;
// A service that answers too late has done what it was asked by then, or never will.
const FOLLOW_MS = 120_000;

/**
 * The record as it was read since an answer was lost; null when that failed, undefined until then.
 * A service may do the change long after its answer was given up: the record is followed for a while.
 */
function useRecordAfterLoss(subscription_id: string, told: Outcome | null) {
  const scope = useScope();
  const { time_zone } = useSeller();
  const lost = told?.lost_at === undefined ? null : told;
  const query = useQuery({
    ...subscriptionQuery(scope, subscription_id),
    enabled: lost !== null,
    refetchInterval: ({ state: { data } }) => {
      if (!lost || Date.now() - lost.lost_at > FOLLOW_MS) return false;
      const isDone = data && isAsWished(lost.wish, data.subscription, time_zone);
      return isDone ? false : ASK_AGAIN_MS;
    },
  });
  if (!lost) return undefined;
  if (query.data && query.dataUpdatedAt > lost.lost_at) return query.data.subscription;
  return query.isError ? null : undefined;
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
        ...(wish.goodwill && { goodwill: wish.goodwill }),
        ...(wish.owed && { owed: wish.owed }),
      });
  }
}
