"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { CircleAlert, CircleCheck, TriangleAlert, Undo2 } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure } from "#lib/failure.ts";
import type { TranslateAll } from "#lib/i18n/message.ts";
import { describeOutcome } from "./change-outcome.ts";
import { useStatusLabel } from "#components/subscriptions/subscription-status-badge.tsx";
import type { SubscriptionChange } from "./use-subscription-change.ts";

export function ChangeNotice({ change }: { change: SubscriptionChange }) {
  const { outcome, failure, dialog, isPending, request } = change;
  const t = useTranslations("subscription");
  const nameStatus = useStatusLabel();
  const format = useFormat();
  const clock = useSeller();
  const region = useRef<HTMLDivElement>(null);
  const words = outcome && describeOutcome({ t, format, nameStatus, clock }, outcome);
  useEffect(() => {
    // The clicked button may have disappeared with the earlier notice, so the focus moves here.
    if (outcome && document.activeElement === document.body) region.current?.focus();
  }, [outcome]);
  return (
    <>
      <div ref={region} role="status" tabIndex={-1} className="rounded">
        {words && (
          <Notice
            look={outcome?.changed ? "info" : "warning"}
            icon={outcome?.changed ? CircleCheck : TriangleAlert}
            className="mb-5 sm:items-center!"
          >
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <p className="min-w-0 flex-[1_1_16rem]">
                <span className="font-medium">{words.title}</span> {words.text}
              </p>
              {words.undo && (
                <Button isPending={isPending} onClick={() => words.undo && request(words.undo)}>
                  {!isPending && <Undo2 aria-hidden className="size-4" />}
                  {t("outcome.undo")}
                </Button>
              )}
            </div>
          </Notice>
        )}
      </div>
      {dialog === null && <ChangeFailure failure={failure} />}
    </>
  );
}

interface ChangeFailureProps {
  failure: Failure | null;
  field?: string;
}

export function ChangeFailure({ failure, field }: ChangeFailureProps) {
  const t = useTranslations();
  if (!failure) return null;
  const { title, advice } = describeRefusal(t, failure, field);
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mb-4">
      <p className="font-medium">{title}</p>
      <p>{advice}</p>
    </Notice>
  );
}

function describeRefusal(t: TranslateAll, failure: Failure, field: string | undefined) {
  if (failure.kind === "validation") {
    const others = Object.entries(failure.fields).filter(([name]) => name !== field);
    const messages = [failure.detail, ...others.flatMap(([, texts]) => texts)].filter(Boolean);
    return {
      title: messages.join(" ") || t("subscription.outcome.refused"),
      advice: t("subscription.outcome.nothingChanged"),
    };
  }
  const words = describeFailure(t, failure, "write");
  return failure.kind === "unavailable"
    ? { ...words, advice: t("subscription.outcome.nothingChangedRetry") }
    : words;
}
