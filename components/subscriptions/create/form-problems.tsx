"use client";

import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useEffect, useRef, type MouseEvent } from "react";
import { get, useFormContext } from "react-hook-form";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure } from "#lib/failure.ts";
import { mayBeTwin } from "#lib/subscriptions/rules.ts";
import {
  FIELD_PATHS,
  isFieldPath,
  type CreateSubscriptionValues,
} from "./create-subscription-values.ts";
import { ExistingSubscription } from "./existing-subscription.tsx";
import { useFieldWords } from "./field-words.ts";
import type { CreateRefusal } from "./use-create-subscription.ts";

/** Of the account and not of the form: no field here can mend it. */
const USAGE = "api_usage_type";
const INVALID: Failure = { kind: "validation", fields: {}, detail: null };

/** Above the form: why it was not saved, and links to the fields that need another look. */
export function FormProblems({ refusal }: { refusal: CreateRefusal | null }) {
  const all = useTranslations();
  const t = useTranslations("create");
  const inWords = useFieldWords();
  const { formState } = useFormContext<CreateSubscriptionValues>();
  const { errors, isSubmitted, submitCount } = formState;
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // After each try that failed; there is none to focus after one that did not.
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
      {refusal && mayBeTwin(refusal.failure) && <ExistingSubscription asked={refusal.asked} />}
      {failure?.kind === "signed_out" && (
        <Link href="/sign-in" target="_blank" className="underline">
          {t("problem.signIn")}
        </Link>
      )}
    </Notice>
  );
}

/** Without touching the address, which would be one more step for the back button. */
function focusTarget(event: MouseEvent<HTMLAnchorElement>) {
  event.preventDefault();
  document.getElementById(event.currentTarget.hash.slice(1))?.focus();
}

function messageOf(error: { message?: string } | undefined): string | undefined {
  return error?.message;
}
