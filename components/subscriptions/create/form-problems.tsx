"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { type MouseEvent, useEffect, useRef } from "react";
import { get, useFormContext } from "react-hook-form";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CircleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure } from "#lib/failure.ts";
import { mayBeDuplicate } from "#lib/subscriptions/rules.ts";
import { useScope } from "#components/context/seller-context.tsx";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import { customerByPhoneQuery, customerSubscriptionsQuery } from "#lib/customers/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import {
  type CreateSubscriptionValues,
  FIELD_PATHS,
  isFieldPath,
} from "./create-subscription-values.ts";
import { useTranslateFieldError } from "./form-text-field.tsx";
import type { CreateRefusal } from "./use-create-subscription.ts";

/** An error of the account: no field of the form can correct it. */
const USAGE = "api_usage_type";
const INVALID: Failure = { kind: "validation", fields: {}, detail: null };

/** Why the form was not saved, with links to the invalid fields. */
export function FormProblems({ refusal }: { refusal: CreateRefusal | null }) {
  const all = useTranslations();
  const t = useTranslations("create");
  const inWords = useTranslateFieldError();
  const { formState } = useFormContext<CreateSubscriptionValues>();
  const { errors, isSubmitted, submitCount } = formState;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The notice gets the focus after each failed attempt; after a success there is none.
    if (submitCount > 0) notice.current?.focus();
  }, [submitCount]);

  const failure = refusal?.failure;
  const wrong = FIELD_PATHS.filter((path) => get(errors, path) !== undefined);
  if (!failure && !(isSubmitted && wrong.length > 0)) return null;
  const isNotSetUp = failure?.kind === "validation" && USAGE in failure.fields;
  const words =
    isNotSetUp && wrong.length === 0
      ? { title: t("notSetUp.title"), advice: t("notSetUp.advice") }
      : describeFailure(all, failure ?? INVALID, "create");
  return (
    <Notice ref={notice} tabIndex={-1} look="danger" icon={CircleAlert} role="alert">
      <p className="font-medium">{words.title}</p>
      <p>{words.advice}</p>
      <ul className="mt-1 list-disc pl-4">
        {wrong.map((path) => (
          <li key={path}>
            {t.rich("problem.of", {
              name: t(`field.${path}`),
              problem: inWords(messageOf(get(errors, path)) ?? t("problem.other"), path),
              field: (words) => (
                <a
                  href={`#${path}`}
                  className="inline-block py-0.5 underline"
                  onClick={focusTarget}
                >
                  {words}
                </a>
              ),
            })}
          </li>
        ))}
        {failure?.kind === "validation" &&
          Object.entries(failure.fields)
            .filter(([path]) => !isFieldPath(path))
            .map(([path, messages]) => (
              <li key={path}>
                <span className="first-letter:uppercase">
                  {path === USAGE ? t("notSetUp.usage") : path.replaceAll("_", " ")}
                </span>
                : {messages.join(" ")}
              </li>
            ))}
      </ul>
      {isNotSetUp && wrong.length > 0 && <p>{t("notSetUp.advice")}</p>}
      {refusal && mayBeDuplicate(refusal.failure) && (
        <ExistingSubscription asked={refusal.asked} />
      )}
      {failure?.kind === "signed_out" && (
        <Link prefetch={false} href="/sign-in" target="_blank" className="underline">
          {t("problem.signIn")}
        </Link>
      )}
    </Notice>
  );
}

/**
 * Moves the focus to a field without changing the URL, which would add a step to the back button.
 */
function focusTarget(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  document.getElementById(event.currentTarget.hash.slice(1))?.focus();
}

function messageOf(error: { message?: string } | undefined): string | undefined {
  return error?.message;
}

/**
 * Links to the active subscription that caused the refusal. The refusal does not name it, and may have
 * another cause; then nothing is shown.
 */
function ExistingSubscription({ asked }: { asked: CreateSubscription }) {
  const t = useTranslations("create.existing");
  const scope = useScope();
  const existing = useExisting(asked);
  if (!existing) return null;
  return (
    <Link
      prefetch={false}
      href={subscriptionPath(scope, existing.subscription_id)}
      className="underline"
    >
      {t("open", { name: existing.client.full_name || existing.client.phone })}
    </Link>
  );
}

function useExisting({ pbp_id, client }: CreateSubscription) {
  const scope = useScope();
  const buyer = useQuery({ ...customerByPhoneQuery(scope, client.phone), retry: false });
  const customer = buyer.data?.customer ?? null;
  const query = useInfiniteQuery({
    ...customerSubscriptionsQuery(scope, String(customer?.id)),
    retry: false,
    enabled: customer !== null,
  });
  return query.data?.pages
    .flatMap(({ results }) => results)
    .find(({ status, product }) => status === "active" && product.pbp_id === pbp_id);
}
