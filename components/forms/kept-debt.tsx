"use client";

import { HandCoins } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { showToast } from "#components/ui/overlays/toast.ts";
import { describeGoodwillReason } from "#lib/audit-log/rules.ts";
import type { Debt } from "#lib/money/debt.ts";
import { waiveDebtAction } from "#lib/subscriptions/actions.ts";
import {
  goodwillProblem,
  EMPTY_GOODWILL,
  goodwillFromDraft,
} from "#lib/subscriptions/goodwill/rules.ts";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { ReasonFields } from "#components/forms/reason-fields.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.ts";
import { useFormat } from "#components/values/use-format.ts";

interface KeptDebtProps {
  subscription_id: string;
  debt: Debt;
  /** It was waived. */
  onWaived: () => void;
}

/** What was kept of a debt when the date was moved, by whom and why; and the way to give it up. */
export function KeptDebt({ subscription_id, debt, onWaived }: KeptDebtProps) {
  const t = useTranslations("owed");
  const tOfActs = useTranslations("audit");
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const mayWaive = usePermission("subscriptions:reschedule");
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
        <Waive {...{ subscription_id, amount, close, onWaived }} />
      </Dialog>
    </Notice>
  );
}

interface WaiveProps extends Omit<KeptDebtProps, "debt"> {
  amount: string;
  close: () => void;
}

function Waive({ subscription_id, amount, close, onWaived }: WaiveProps) {
  const t = useTranslations("owed.waive");
  const tOfDialog = useTranslations("layout.dialog");
  const { run, isPending, failure } = useSellerAction(waiveDebtAction);
  const [goodwill, setGoodwill] = useState(EMPTY_GOODWILL);
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const given = goodwillProblem(goodwill) === null ? goodwillFromDraft(goodwill) : null;
    if (given === null) {
      flushSync(() => setTried(true));
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
      return;
    }
    if (!(await run({ subscription_id, goodwill: given }))) return;
    close();
    showToast({ text: t("done") });
    onWaived();
  }

  return (
    <form ref={form} noValidate method="post" onSubmit={(event) => void submit(event)}>
      <FailureNotice failure={failure} />
      <p className="mb-4">{t("text", { amount })}</p>
      <ReasonFields {...{ goodwill, setGoodwill, isTried }} />
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={close}>{tOfDialog("cancel")}</Button>
        <Button type="submit" look="danger" isPending={isPending}>
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}
