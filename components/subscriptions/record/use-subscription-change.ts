import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { UNKNOWN_OUTCOME, useAction } from "#components/forms/use-action.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { isAnswerLost } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import {
  cancelSubscriptionAction,
  rescheduleSubscriptionAction,
  resumeSubscriptionAction,
} from "#lib/subscriptions/actions.ts";
import { subscriptionQuery, subscriptionsKey } from "#lib/subscriptions/queries.ts";
import { isChangeApplied, type ChangeOutcome, type RequestedChange } from "./change-outcome.ts";

export type SubscriptionChange = ReturnType<typeof useSubscriptionChange>;

/** The state of a subscription's dialogs, its last change and the outcome. */
export function useSubscriptionChange(subscription_id: string) {
  const scope = useScope();
  const queryClient = useQueryClient();
  const [dialog, setDialog] = useState<"cancel" | "reschedule" | null>(null);
  const [subscription, setSubscription] = useState<Subscription | null>(null);
  const [last, setOutcome] = useState<ChangeOutcome | null>(null);
  const found = useRecordAfterLoss(subscription_id, last);
  const outcome = last && { ...last, found };

  const { run, isPending, failure, clear } = useAction(async (wish: RequestedChange) => {
    setOutcome(null);
    const result = await send(scope, subscription_id, wish).catch(() => UNKNOWN_OUTCOME);
    const isUnknown = !result.ok && isAnswerLost(result.failure);
    if (result.ok || isUnknown) {
      setOutcome(result.ok ? { wish, changed: result.value } : { wish, lost_at: Date.now() });
      setDialog(null);
    }
    if (result.ok && result.value.record) {
      const { queryKey } = subscriptionQuery(scope, subscription_id);
      // An older response must not overwrite this one.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, result.value.record);
    }
    // Also runs after a refusal, because the record may have changed.
    void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
    return result;
  });

  return {
    dialog,
    subscription,
    outcome,
    isPending,
    // A lost answer is not shown as a failure, but as an unknown outcome.
    failure: failure && isAnswerLost(failure) ? null : failure,
    open: (wanted: "cancel" | "reschedule", of: Subscription | null = null) => {
      clear();
      setSubscription(of);
      setDialog(wanted);
    },
    close: () => setDialog(null),
    request: (wish: RequestedChange) => void run(wish),
  };
}

const ASK_AGAIN_MS = 5_000;
// Milliseconds after which the service can no longer make a change whose answer was lost.
const FOLLOW_MS = 120_000;

/**
 * Reads the record after a lost answer, repeatedly, as the service may make the change late.
 * @returns null if the read failed; undefined before the read, or if no answer was lost
 */
function useRecordAfterLoss(subscription_id: string, last: ChangeOutcome | null) {
  const scope = useScope();
  const { time_zone } = useSeller();
  const lost = last?.lost_at === undefined ? null : last;
  const query = useQuery({
    ...subscriptionQuery(scope, subscription_id),
    enabled: lost !== null,
    refetchInterval: ({ state: { data } }) => {
      if (!lost || Date.now() - lost.lost_at > FOLLOW_MS) return false;
      const isDone = data && isChangeApplied(lost.wish, data.subscription, time_zone);
      return isDone ? false : ASK_AGAIN_MS;
    },
  });
  if (!lost) return undefined;
  if (query.data && query.dataUpdatedAt > lost.lost_at) return query.data.subscription;
  return query.isError ? null : undefined;
}

function send(scope: Scope, subscription_id: string, wish: RequestedChange) {
  switch (wish.operation) {
    case "cancel":
      return cancelSubscriptionAction(scope, { subscription_id, leaving: wish.leaving });
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
