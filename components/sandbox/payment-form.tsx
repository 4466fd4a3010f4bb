"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { usePathname } from "next/navigation";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { useHydrated } from "#components/ui/button.tsx";
import { CircleCheck, CircleX } from "#components/ui/icons.tsx";
import { PAYMENT_OUTCOMES, type PaymentOutcome } from "#contract/names.ts";
import type { SimulatedPayment } from "#contract/sandbox.ts";
import { simulatePaymentAction } from "#lib/sandbox/actions.ts";
import { PageLink, useScope } from "#components/context/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { describePayment } from "#lib/sandbox/rules.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import {
  SandboxFailure,
  useMissingPermissionText,
  useSandboxAction,
} from "./use-sandbox-action.tsx";

interface PaymentFormProps {
  subscription_id: string | null;
  /** Why no payment can be simulated; null if it can. */
  obstacle: string | null;
  /** The subscription picker, above the result picker. */
  children?: ReactNode;
  onSimulate?: () => void;
  aside?: ReactNode;
}

export function PaymentForm({
  subscription_id,
  obstacle,
  onSimulate,
  children,
  aside,
}: PaymentFormProps) {
  const id = useId();
  const t = useTranslations("sandbox.payment");
  const isReady = useHydrated();
  const forbidden = useMissingPermissionText("sandbox:pay");
  const [outcome, setOutcome] = useState<PaymentOutcome>("approve");
  const [ended, setEnded] = useState<SimulatedPayment | null>(null);
  const { run, isPending, failure } = useSandboxAction(simulatePaymentAction);

  async function simulate() {
    if (subscription_id === null) return;
    setEnded(null);
    onSimulate?.();
    const done = await run({ subscription_id, outcome });
    if (done) setEnded(done.value);
  }

  return (
    <>
      <div className="grid gap-4">
        {children}
        <SelectField
          id={id}
          label={t("how")}
          hint={t(`outcomes.${outcome}.hint`)}
          value={outcome}
          disabled={!isReady}
          onChange={(event) => {
            const chosen = PAYMENT_OUTCOMES.find((one) => one === event.target.value);
            if (chosen) setOutcome(chosen);
          }}
          options={PAYMENT_OUTCOMES.map((value) => [value, t(`outcomes.${value}.label`)])}
        />
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <ExplainedButton
          look="primary"
          reason={forbidden ?? obstacle}
          isPending={isPending}
          onClick={() => void simulate()}
        >
          {t("simulate")}
        </ExplainedButton>
        {aside}
      </div>
      <div aria-live="polite" className="mt-4 empty:sr-only">
        <SandboxFailure failure={failure} />
        {ended && <PaymentResult ended={ended} />}
      </div>
    </>
  );
}

function PaymentResult({ ended }: { ended: SimulatedPayment }) {
  const t = useTranslations("sandbox");
  const path = subscriptionPath(useScope(), ended.subscription_id);
  const isHere = usePathname() === path;
  const { events, result } = ended;
  return (
    <Notice icon={result === "paid" ? CircleCheck : CircleX}>
      <p>{describePayment(t, ended)}</p>
      <p className="mt-1">
        {events.length === 0
          ? t("payment.noEvent")
          : t.rich("payment.events", {
              events: events.join(", "),
              names: (words) => <span className="font-mono text-xs">{words}</span>,
            })}
      </p>
      {!isHere && (
        <PageLink href={path} className="mt-1 inline-block rounded font-medium underline">
          {t("payment.open")}
        </PageLink>
      )}
    </Notice>
  );
}
