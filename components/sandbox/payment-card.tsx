"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { useId, useState } from "react";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { useHydrated } from "#components/ui/button.tsx";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { parseChosenSubscription, readSubscriptionId } from "#lib/sandbox/search.ts";
import { type ListedSubscription, subscriptionsQuery } from "#lib/subscriptions/queries.ts";
import { ALL_SUBSCRIPTIONS } from "#lib/subscriptions/search.ts";
import { PaymentForm } from "./payment-form.tsx";

const OTHER = "other";

export function PaymentCard() {
  const t = useTranslations("sandbox.payment");
  const preset = parseChosenSubscription(useSearchParams());
  const [chosen, setChosen] = useState(preset === null ? "" : OTHER);
  const [text, setText] = useState(preset ?? "");
  const id = useId();
  const isReady = useHydrated();
  // A paid subscription stays selected, so that a second click does not pay the next one.
  const [last, setLast] = useState<ListedSubscription | null>(null);
  const { waiting, isReading } = useWaiting();
  const isGone = last !== null && !waiting.some((row) => isSame(row, last));
  const first = waiting[0]?.subscription_id ?? OTHER;
  const current = chosen === "" && !isReading ? first : chosen;
  const isOther = current === OTHER;
  const subscription_id = isOther ? readSubscriptionId(text) : current || null;
  return (
    <Card className="min-w-0 p-4 sm:p-5" aria-labelledby="payment">
      <CardTitle id="payment">{t("title")}</CardTitle>
      <p className="mt-1 mb-4 text-sm text-muted">{t("text")}</p>
      <PaymentForm
        subscription_id={subscription_id}
        obstacle={subscription_id === null ? t("chooseFirst") : null}
        onSimulate={() => {
          setLast(waiting.find((row) => row.subscription_id === current) ?? last);
          setChosen(current);
        }}
      >
        <SelectField
          id={`${id}-subscription`}
          label={t("subscription")}
          value={current}
          disabled={!isReady}
          onChange={(event) => setChosen(event.target.value)}
        >
          {isReading && current === "" && <option value="">{t("loading")}</option>}
          {isGone && <option value={last.subscription_id}>{describe(t, last)}</option>}
          <Group label={t("due")} rows={waiting.filter(({ status }) => status === "due")} />
          <Group label={t("waiting")} rows={waiting.filter(({ status }) => status !== "due")} />
          <option value={OTHER}>{t("other")}</option>
        </SelectField>
        {isOther && (
          <TextField
            id={`${id}-id`}
            label={t("otherLabel")}
            hint={t("otherHint")}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </PaymentForm>
    </Card>
  );
}

function Group({ label, rows }: { label: string; rows: ListedSubscription[] }) {
  const t = useTranslations("sandbox.payment");
  if (rows.length === 0) return null;
  return (
    <optgroup label={label}>
      {rows.map((row) => (
        <option key={row.subscription_id} value={row.subscription_id}>
          {describe(t, row)}
        </option>
      ))}
    </optgroup>
  );
}

const isSame = (one: ListedSubscription, other: ListedSubscription) =>
  one.subscription_id === other.subscription_id;
const describe = (t: (key: "noName") => string, { client, product }: ListedSubscription) =>
  `${client.full_name || client.phone || t("noName")} · ${product.name}`;

function useWaiting() {
  const due = useNewest("due");
  const pending = useNewest("pending_checkout");
  return {
    waiting: [...(due.data?.results ?? []), ...(pending.data?.results ?? [])],
    isReading: due.isPending || pending.isPending,
  };
}

function useNewest(status: SubscriptionStatus) {
  return useQuery(subscriptionsQuery(useScope(), { ...ALL_SUBSCRIPTIONS, status }));
}
