import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, useState, useTransition, type FormEvent } from "react";
import type { UseFormReturn } from "react-hook-form";
import { useScope } from "#components/context/seller-context.tsx";
import { UNKNOWN_OUTCOME, useReportConnectionFailure } from "#components/forms/use-action.tsx";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import type { Failure } from "#lib/failure.ts";
import { createSubscriptionAction } from "#lib/subscriptions/actions.ts";
import { reusedSubscriptionKey, subscriptionsKey } from "#lib/subscriptions/queries.ts";
import { createdParameter, subscriptionPath } from "#lib/subscriptions/search.ts";
import {
  OPTIONAL_SECTIONS,
  optionalSectionOf,
  isFieldPath,
  type CreateSubscriptionValues,
} from "./create-subscription-values.ts";
import { rememberReturnUrl } from "./return-url-field.tsx";

type Form = UseFormReturn<CreateSubscriptionValues, unknown, CreateSubscription>;

export interface CreateRefusal {
  failure: Failure;
  asked: CreateSubscription;
}

/**
 * Sends the form, once at a time. Field errors of the service are also shown at their fields; `refusal`
 * has the whole failure.
 */
export function useCreateSubscription(form: Form, onCreated: () => void) {
  const router = useRouter();
  const scope = useScope();
  const queryClient = useQueryClient();
  const report = useReportConnectionFailure();
  const [refusal, setRefusal] = useState<CreateRefusal | null>(null);
  const [isLeaving, startLeaving] = useTransition();
  // A ref, because state would update too late for a double click.
  const isUnderWay = useRef(false);

  async function create(values: CreateSubscription) {
    const result = await createSubscriptionAction(scope, values).catch(() => UNKNOWN_OUTCOME);
    if (!result.ok) {
      setRefusal({ failure: result.failure, asked: values });
      report(result.failure);
      showFieldErrors(form, result.failure);
      return;
    }
    onCreated();
    rememberReturnUrl(scope, values.return_url);
    const { subscription_id, is_reused, before } = result.value;
    if (before) queryClient.setQueryData(reusedSubscriptionKey(scope, subscription_id), before);
    void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) });
    const created = createdParameter(is_reused);
    startLeaving(() => {
      router.push(`${subscriptionPath(scope, subscription_id)}?created=${created}`);
    });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isUnderWay.current || isLeaving) return;
    isUnderWay.current = true;
    setRefusal(null);
    try {
      await form.handleSubmit(create)();
    } finally {
      isUnderWay.current = false;
    }
  }

  const isPending = form.formState.isSubmitting || isLeaving;
  return { submit: (event: FormEvent) => void submit(event), isPending, refusal };
}

function showFieldErrors(form: Form, failure: Failure) {
  if (failure.kind !== "validation") return;
  for (const [path, messages] of Object.entries(failure.fields)) {
    if (!isFieldPath(path)) continue;
    const fold = optionalSectionOf(path);
    // Opens the part of the form, so that the user can correct the field.
    if (fold && form.getValues(fold) == null) form.setValue(fold, OPTIONAL_SECTIONS[fold]);
    form.setError(path, { type: "server", message: messages.join(" ") });
  }
}
