"use client";

import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";
import type { DateMove } from "#components/values/move-date.ts";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { ChangeNotice } from "./change-notice.tsx";
import { RescheduleSubscriptionDialog } from "./reschedule-subscription.tsx";
import { useSubscriptionChange } from "./use-subscription-change.ts";

/** The reschedule dialog; opens again for each new `asked` object. */
export function GoodwillDialog({ asked }: { asked: DateMove }) {
  const t = useTranslations("subscription");
  const change = useSubscriptionChange(asked.subscription.subscription_id);
  const open = useEffectEvent(() => change.open("reschedule"));
  useEffect(() => open(), [asked]);
  return (
    <>
      <ChangeNotice change={change} />
      <Dialog
        title={t("reschedule.title")}
        isOpen={change.dialog === "reschedule"}
        onClose={change.close}
      >
        <RescheduleSubscriptionDialog isGoodwill {...asked} change={change} />
      </Dialog>
    </>
  );
}
