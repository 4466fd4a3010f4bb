"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { LeaveFields } from "#components/forms/leave-fields.tsx";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { isUnsaid, NOTHING_SAID } from "#lib/money/leave-reasons.ts";
import { billingDay } from "#lib/subscriptions/rules.ts";
import { ChangeFailure } from "./change-notice.tsx";
import type { SubscriptionChange } from "./use-subscription-change.ts";

interface CancelSubscriptionProps {
  subscription: Subscription;
  change: SubscriptionChange;
}

export function CancelSubscription({ subscription, change }: CancelSubscriptionProps) {
  const t = useTranslations("subscription.cancel");
  const format = useFormat();
  const { time_zone, needs_leave_reason } = useSeller();
  const [leaving, setLeaving] = useState(NOTHING_SAID);
  const [isTried, setTried] = useState(false);
  const isLacking = needs_leave_reason && isUnsaid(leaving);
  const fields = useRef<HTMLDivElement>(null);
  const day = billingDay(subscription, time_zone);
  return (
    <>
      <ChangeFailure failure={change.failure} />
      <p>
        {day === null
          ? t("lastDayUnknown")
          : t.rich("lastDay", {
              date: format.date(day),
              when: format.relativeDay(day),
              strong: (words) => <strong className="font-semibold">{words}</strong>,
            })}
      </p>
      <ul className="mt-3 list-disc space-y-1 pl-5 text-muted">
        <li>{t("noRefund")}</li>
        <li>{t("noRenewal")}</li>
        <li>{t("wayBack")}</li>
        <li>{t("notTold")}</li>
      </ul>
      <div ref={fields}>
        <LeaveFields {...{ leaving, setLeaving }} isLacking={isTried && isLacking} />
      </div>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button ref={initialFocus} onClick={change.close}>
          {t("keep")}
        </Button>
        <Button
          look="danger"
          isPending={change.isPending}
          onClick={() => {
            if (!isLacking) return change.request({ operation: "cancel", leaving });
            flushSync(() => setTried(true));
            fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
          }}
        >
          {t("confirm")}
        </Button>
      </div>
    </>
  );
}
