import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, useState, useTransition, type FormEvent } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import type { Failure } from "#lib/billing/errors.ts";
import { createSubscriptionAction } from "#lib/subscriptions/actions.ts";
import { SUBSCRIPTIONS_KEY } from "#lib/subscriptions/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { isFieldPath, type CreateSubscriptionValues } from "./create-subscription-values.ts";
import { rememberReturnUrl } from "./return-url-memory.ts";

type Form = UseFormReturn<CreateSubscriptionValues, unknown, CreateSubscription>;

/** Sends the form once; field errors of the service land on their fields, the rest is `failure`. */
export function useCreateSubscription(form: Form) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isLeaving, startLeaving] = useTransition();
  // State comes a frame late for the second click of a double click.
  const isUnderWay = useRef(false);

  async function create(values: CreateSubscription) {
    const result = await createSubscriptionAction(values).catch(() => UNANSWERED);
    if (!result.ok) {
      setFailure(result.failure);
      showFieldErrors(form, result.failure);
      return;
    }
    rememberReturnUrl(values.return_url);
    void queryClient.invalidateQueries({ queryKey: SUBSCRIPTIONS_KEY });
    const { subscription_id } = result.value;
    startLeaving(() => {
      router.push(`${subscriptionPath(subscription_id)}?created=1`);
    });
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isUnderWay.current || isLeaving) return;
    isUnderWay.current = true;
    setFailure(null);
    try {
      await form.handleSubmit(create)();
    } finally {
      isUnderWay.current = false;
    }
  }

  const isPending = form.formState.isSubmitting || isLeaving;
  return { submit: (event: FormEvent) => void submit(event), isPending, failure };
}

const UNANSWERED = {
  ok: false,
  failure: { kind: "unavailable", outcome_unknown: true },
} as const;

function showFieldErrors(form: Form, failure: Failure) {
  if (failure.kind !== "validation") return;
  const fields = Object.entries(failure.fields);
  for (const [index, [path, messages]] of fields.entries()) {
    if (!isFieldPath(path)) continue;
    form.setError(
      path,
      { type: "server", message: messages.join(" ") },
      { shouldFocus: index === 0 },
    );
  }
}
