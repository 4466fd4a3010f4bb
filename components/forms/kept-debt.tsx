"use client";

import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { HandCoins } from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import { Notice } from "#components/ui/notice.tsx";
import { describeGoodwillReason } from "#lib/money/goodwill-reasons.ts";
import type { Debt } from "#lib/money/debt.ts";
import { useFormat, usePermission } from "#components/context/seller-context.tsx";

const loadForm = () => import("./waive-debt-form.tsx");
const WaiveDebtForm = lazy(async () => ({ default: (await loadForm()).WaiveDebtForm }));

interface KeptDebtProps {
  subscription_id: string;
  debt: Debt;
  onWaived: () => void;
}

/** The debt that was kept when the billing date was moved, by whom and why, and a button to waive it. */
export function KeptDebtNotice({ subscription_id, debt, onWaived }: KeptDebtProps) {
  const t = useTranslations("owed");
  const tOfActs = useTranslations("audit");
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const mayWaive = usePermission("subscriptions:reschedule");
  usePreload(loadForm);
  const close = () => setOpen(false);
  const amount = format.toPay(debt);
  return (
    <Notice look="warning" icon={HandCoins} className="mb-4 sm:items-center!">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 flex-[1_1_16rem]">
          {t.rich("still", {
            amount,
            date: format.date(debt.since),
            name: debt.name,
            reason: [describeGoodwillReason(tOfActs, debt.reason), debt.text]
              .filter(Boolean)
              .join(": "),
            strong: (words) => <strong>{words}</strong>,
          })}
        </p>
        {mayWaive && (
          <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
            {t("waive.open")}
          </Button>
        )}
      </div>
      <Dialog title={t("waive.title")} isOpen={isOpen} onClose={close}>
        <Suspense fallback={<span className="skeleton h-40" />}>
          <WaiveDebtForm {...{ subscription_id, amount, close, onWaived }} />
        </Suspense>
      </Dialog>
    </Notice>
  );
}
