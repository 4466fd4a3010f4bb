import { useTranslations } from "next-intl";
import { useState } from "react";
import { flushSync } from "react-dom";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { waiveDebtAction } from "#lib/subscriptions/actions.ts";
import {
  goodwillProblem,
  EMPTY_GOODWILL,
  goodwillFromDraft,
} from "#lib/subscriptions/goodwill/rules.ts";
import { ActionForm } from "./action-dialog.tsx";
import { useScopedAction } from "./use-action.tsx";
import { ReasonFields } from "./reason-fields.tsx";

interface WaiveDebtProps {
  subscription_id: string;
  /** The debt as formatted text with its currency. */
  amount: string;
  close: () => void;
  onWaived: () => void;
}

/** The form that waives a debt. */
export function WaiveDebtForm({ subscription_id, amount, close, onWaived }: WaiveDebtProps) {
  const t = useTranslations("owed.waive");
  const waive = useScopedAction(waiveDebtAction);
  const [goodwill, setGoodwill] = useState(EMPTY_GOODWILL);
  const [isTried, setTried] = useState(false);

  function read(form: HTMLFormElement) {
    const given = goodwillProblem(goodwill) === null ? goodwillFromDraft(goodwill) : null;
    if (given) return { subscription_id, goodwill: given };
    flushSync(() => setTried(true));
    form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    return null;
  }

  function done() {
    close();
    showToast({ text: t("done") });
    onWaived();
  }

  return (
    <ActionForm
      noValidate
      look="danger"
      label={t("submit")}
      action={waive}
      read={read}
      onClose={close}
      onDone={done}
    >
      {() => (
        <>
          <p>{t("text", { amount })}</p>
          <ReasonFields {...{ goodwill, setGoodwill, isTried }} />
        </>
      )}
    </ActionForm>
  );
}
