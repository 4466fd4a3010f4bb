import { useTranslations } from "next-intl";
import { useRef, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { Button } from "#components/ui/button.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { waiveDebtAction } from "#lib/subscriptions/actions.ts";
import {
  goodwillProblem,
  EMPTY_GOODWILL,
  goodwillFromDraft,
} from "#lib/subscriptions/goodwill/rules.ts";
import { FailureNotice, useSellerAction } from "./use-action.tsx";
import { ReasonFields } from "./reason-fields.tsx";

interface WaiveDebtProps {
  subscription_id: string;
  /** Formatted, with currency. */
  amount: string;
  close: () => void;
  onWaived: () => void;
}

/** Loaded when its dialog first opens. */
export function WaiveDebtForm({ subscription_id, amount, close, onWaived }: WaiveDebtProps) {
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
