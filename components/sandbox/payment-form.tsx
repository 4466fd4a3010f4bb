"use client";

import { useTranslations } from "next-intl";
import { useId, useState, type ReactNode } from "react";
import { ExplainedButton } from "#components/ui/explained-button.tsx";
import { SelectField } from "#components/ui/forms/select-field.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { PAYMENT_OUTCOMES, type PaymentOutcome } from "#contract/sandbox-names.ts";
import type { SimulatedPayment } from "#contract/sandbox.ts";
import { simulatePaymentAction } from "#lib/sandbox/actions.ts";
import { PaymentResult } from "./payment-result.tsx";
import { SandboxFailure } from "./sandbox-failure.tsx";
import { useRoleObstacle, useSandboxAction } from "./use-sandbox-action.ts";

interface PaymentFormProps {
  /** Null if none is selected. */
  subscription_id: string | null;
  /** Why no payment can be simulated; null if it can. */
  obstacle: string | null;
  /** The subscription picker, above the result picker. */
  children?: ReactNode;
  /** Called before the payment is sent. */
  onSimulate?: () => void;
  /** Beside the button. */
  aside?: ReactNode;
}

/** Chooses the result of a simulated payment. */
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
  const forbidden = useRoleObstacle("sandbox:pay");
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
        >
          {PAYMENT_OUTCOMES.map((value) => (
            <option key={value} value={value}>
              {t(`outcomes.${value}.label`)}
            </option>
          ))}
        </SelectField>
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
