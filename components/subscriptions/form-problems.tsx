"use client";

import { CircleAlert } from "lucide-react";
import Link from "next/link";
import type { MouseEvent } from "react";
import { get, useFormContext } from "react-hook-form";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure } from "#lib/billing/errors.ts";
import {
  FIELD_LABELS,
  FIELD_PATHS,
  isFieldPath,
  type CreateSubscriptionValues,
} from "./create-subscription-values.ts";

const INVALID: Failure = { kind: "validation", fields: {}, detail: null };

/** Above the form: why it was not saved, and links to the fields that need another look. */
export function FormProblems({ failure }: { failure: Failure | null }) {
  const { formState } = useFormContext<CreateSubscriptionValues>();
  const { errors, isSubmitted } = formState;
  const wrong = FIELD_PATHS.filter((path) => get(errors, path) !== undefined);
  if (!failure && !(isSubmitted && wrong.length > 0)) return null;
  const words = describeFailure(failure ?? INVALID, "write");
  return (
    <Notice look="danger" icon={CircleAlert} role="alert">
      <p className="font-medium">{words.title}</p>
      <p>{words.advice}</p>
      <ul className="mt-1 list-disc pl-4">
        {wrong.map((path) => (
          <li key={path}>
            <a
              href={`#${path}`}
              className="inline-block py-0.5 underline"
              onClick={focusTarget}
            >
              {FIELD_LABELS[path]}
            </a>
            : {messageOf(get(errors, path))}
          </li>
        ))}
        {failure?.kind === "validation" &&
          Object.entries(failure.fields)
            .filter(([path]) => !isFieldPath(path))
            .map(([path, messages]) => <li key={path}>{messages.join(" ")}</li>)}
      </ul>
      {failure?.kind === "signed_out" && (
        <Link href="/sign-in" target="_blank" className="underline">
          Sign in in a new tab
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

function messageOf(error: { message?: string } | undefined): string {
  return error?.message ?? "needs another look";
}
