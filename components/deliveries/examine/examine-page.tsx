"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useId, useState } from "react";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { ShieldCheck, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Button, useHydrated } from "#components/ui/button.tsx";
import type { Attempt } from "#contract/deliveries.ts";
import { failureOf } from "#lib/failure.ts";
import type { Examination, ExaminedDelivery } from "#lib/deliveries/examine/examine.ts";
import type { ExamineSearch } from "#lib/deliveries/search.ts";
import { deliveryQuery } from "#lib/deliveries/queries.ts";
import { receivedDeliveryQuery } from "#lib/receiver/queries.ts";
import { canSign } from "#lib/signature.ts";
import { Moment } from "#components/values/day.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { signWithCurrentTime } from "#lib/deliveries/examine/request.ts";
import { curlCommandOf } from "#lib/deliveries/rules.ts";
import { CompareAttempts } from "./compare-attempts.tsx";
import { ExamineForm } from "./examine-form.tsx";
import { ExamineResult } from "./examine-result.tsx";

interface ExaminePageProps {
  search: ExamineSearch;
  /** Code that verifies a delivery. */
  snippets: ReactNode;
}

/**
 * The page that examines a delivery. The browser computes everything: the secret is neither sent
 * nor stored.
 */
export function ExaminePage({ search, snippets }: ExaminePageProps) {
  const t = useTranslations("examine");
  const isHydrated = useHydrated();
  const [picked, setPicked] = useState(search);
  const [found, setFound] = useState<{
    given: ExaminedDelivery;
    examination: Examination;
  } | null>(null);
  const scope = useScope();
  const query = useQuery({
    ...deliveryQuery(scope, picked.delivery ?? ""),
    enabled: picked.delivery !== null,
  });
  const receivedQuery = useQuery({
    ...receivedDeliveryQuery(scope, picked.received ?? ""),
    enabled: picked.received !== null,
  });
  const received = picked.received === null ? undefined : receivedQuery.data;
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
      {[query, receivedQuery].map(
        ({ error, data, isFetching, refetch }, place) =>
          error &&
          !data && (
            <FailureLine
              key={place === 0 ? "log" : "received"}
              failure={failureOf(error)}
              query={{ isFetching, refetch }}
            />
          ),
      )}
      <ExamineForm
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
      {found && <ExamineResult examination={found.examination} />}
      {found && (
        <SignAgain
          examination={found.examination}
          address={found.given.request.url ?? delivery?.endpoint_url ?? ""}
        />
      )}
      {delivery && delivery.attempt_list.length > 1 && (
        <CompareAttempts attempts={delivery.attempt_list} />
      )}
      <Card className="min-w-0 px-4 py-3 sm:px-5">
        <Disclosure title={t("snippets")} className="font-semibold">
          <div className="mt-2">{snippets}</div>
        </Disclosure>
      </Card>
    </div>
  );
}

/** The attempt of this number, otherwise the last one. */
function pickedAttempt(attempts: Attempt[] | undefined, number: number | null) {
  return (number !== null ? attempts?.[number - 1] : undefined) ?? attempts?.at(-1);
}

interface SignAgainProps {
  examination: Examination;
  /** The URL that the delivery was sent to; empty if unknown. */
  address: string;
}

const LOCAL_ADDRESS = "http://localhost:3000/webhooks";

/** A curl command that sends the delivery again with the current time; it contains no secret. */
function SignAgain({ examination, address }: SignAgainProps) {
  const t = useTranslations("examine.signAgain");
  const id = useId();
  const [url, setUrl] = useState(address || LOCAL_ADDRESS);
  const [at, setAt] = useState(() => Date.now());
  const [command, setCommand] = useState<string | null>(null);
  useEffect(() => {
    let isStale = false;
    void signWithCurrentTime(examination, url, at).then((request) => {
      if (!isStale) setCommand(request && curlCommandOf(request));
    });
    return () => {
      isStale = true;
    };
  }, [examination, url, at]);
  return (
    <Card
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 p-4 sm:p-5"
    >
      <CardTitle id={`${id}-title`}>{t("title")}</CardTitle>
      {command === null ? (
        <p className="text-muted">{t("none")}</p>
      ) : (
        <>
          <p className="text-muted">{t("text")}</p>
          <TextField
            id={`${id}-address`}
            label={t("address")}
            hint={t("addressHint")}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <CodeBlock text={command} copyLabel={t("copy")} />
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="text-sm text-muted" role="status">
              {t.rich("signedAt", {
                moment: () => <Moment iso={new Date(at).toISOString()} />,
              })}
            </p>
            <Button onClick={() => setAt(Date.now())}>{t("sign")}</Button>
          </div>
        </>
      )}
    </Card>
  );
}
