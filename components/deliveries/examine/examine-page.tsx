"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState, type ReactNode } from "react";
import { FailureLine } from "#components/forms/failure-line.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { Attempt } from "#contract/deliveries.ts";
import { failureOf } from "#lib/failure.ts";
import type { Case, Examination } from "#lib/deliveries/examine/examine.ts";
import type { ExamineSearch } from "#lib/deliveries/examine/search.ts";
import { deliveryQuery } from "#lib/deliveries/queries.ts";
import { receivedDeliveryQuery } from "#lib/receiver/queries.ts";
import { canSign } from "#lib/signature.ts";
import { DoctorAttempts } from "./compare-attempts.tsx";
import { DoctorForm } from "./examine-form.tsx";
import { DoctorRepeat } from "./sign-again.tsx";
import { DoctorResult } from "./examine-result.tsx";

interface DoctorProps {
  search: ExamineSearch;
  /** How a program verifies a delivery. */
  snippets: ReactNode;
}

/** Everything is worked out here: the secret never leaves this page's memory. */
export function Doctor({ search, snippets }: DoctorProps) {
  const t = useTranslations("doctor");
  const isHydrated = useHydrated();
  const [picked, setPicked] = useState(search);
  const [found, setFound] = useState<{ given: Case; examination: Examination } | null>(null);
  const scope = useScope();
  const query = useQuery({
    ...deliveryQuery(scope, picked.delivery ?? ""),
    enabled: picked.delivery !== null,
  });
  const own = useQuery({
    ...receivedDeliveryQuery(scope, picked.received ?? ""),
    enabled: picked.received !== null,
  });
  const received = picked.received === null ? undefined : own.data;
  const delivery = picked.delivery === null ? undefined : query.data;
  const attempt = pickedAttempt(delivery?.attempt_list, picked.attempt);
  return (
    <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-4">
      <h2 className="text-lg font-semibold">{t("title")}</h2>
      <p className="max-w-2xl text-pretty text-muted">{t("intro")}</p>
      <Notice icon={ShieldCheck}>{t("privacy")}</Notice>
      {isHydrated && !canSign() && (
        <Notice look="warning" icon={TriangleAlert} role="alert">
          <p className="font-medium">{t("insecure.title")}</p>
          <p>{t("insecure.text")}</p>
        </Notice>
      )}
      {[query, own].map(
        ({ error, data, isFetching, refetch }, place) =>
          error &&
          !data && (
            <FailureLine
              key={place === 0 ? "log" : "received"}
              failure={failureOf(error)}
              isRetrying={isFetching}
              onRetry={() => void refetch()}
            />
          ),
      )}
      <DoctorForm
        picked={picked}
        delivery={delivery}
        attempt={attempt}
        received={received}
        onPick={(next) => {
          setPicked(next);
          setFound(null);
        }}
        onChange={() => setFound(null)}
        onExamined={(given, examination) => setFound({ given, examination })}
      />
      {found && <DoctorResult given={found.given} examination={found.examination} />}
      {found && (
        <DoctorRepeat
          examination={found.examination}
          address={found.given.came.url ?? delivery?.endpoint_url ?? ""}
        />
      )}
      {delivery && delivery.attempt_list.length > 1 && (
        <DoctorAttempts attempts={delivery.attempt_list} />
      )}
      <Card className="min-w-0 px-4 py-3 sm:px-5">
        <Disclosure title={t("snippets")} className="font-semibold">
          <div className="mt-2">{snippets}</div>
        </Disclosure>
      </Card>
    </div>
  );
}

/** The one that was asked for, else the last. */
function pickedAttempt(attempts: Attempt[] | undefined, number: number | null) {
  return (number !== null ? attempts?.[number - 1] : undefined) ?? attempts?.at(-1);
}
