import { useTranslations } from "next-intl";
import { useState, type ReactNode } from "react";
import type { RecordedPayment, Refund } from "#contract/recorded-payments.ts";
import type { HandMethod } from "#contract/names.ts";
import { useFormat, usePermission, useSeller } from "#components/context/seller-context.tsx";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import {
  fieldText,
  FailureNotice,
  useScopedAction,
  useSellerAction,
  type ActionResult,
} from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import {
  approvePaymentAction,
  checkSaidPaidAction,
  confirmRefundAction,
  declinePaymentAction,
  refuseRefundAction,
  requestRefundAction,
  reversePaymentAction,
} from "#lib/collection/by-hand/actions.ts";
import { useRefreshMoney } from "./record-payment.tsx";

interface AskingButtonProps<Value> {
  button: string;
  title: string;
  text?: string;
  save: string;
  done: string;
  look?: "primary" | "danger";
  action: (form: HTMLFormElement) => Promise<ActionResult<Value>>;
  children?: (error: (field: string) => string | undefined) => ReactNode;
}

/** A button with a dialog; afterwards everything that shows payments is read again. */
function AskingButton<Value>({
  button,
  text,
  save,
  done,
  action,
  children,
  ...dialog
}: AskingButtonProps<Value>) {
  const refresh = useRefreshMoney();
  return (
    <ActionButton
      noValidate
      {...dialog}
      label={save}
      button={{ children: button }}
      action={action}
      read={(form) => form}
      onDone={(_, close) => {
        close();
        showToast({ text: done });
        refresh();
      }}
    >
      {(error) => (
        <>
          {text && <p>{text}</p>}
          {children?.(error)}
        </>
      )}
    </ActionButton>
  );
}

interface ReasonFieldProps {
  label: string;
  error: string | undefined;
}

const ReasonField = ({ label, error }: ReasonFieldProps) => (
  <TextField
    id="reason"
    name="reason"
    autoComplete="off"
    maxLength={500}
    label={label}
    error={error}
  />
);

/** Approves or declines a recorded payment; whoever recorded it may not approve it. */
export function ApprovalButtons({ payment }: { payment: RecordedPayment }) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const { person } = useSeller();
  const mayApprove = usePermission("payments:approve");
  const approve = useScopedAction(approvePaymentAction);
  const decline = useScopedAction(declinePaymentAction);
  if (!mayApprove) return null;
  const { id, subscription_id, full_name: name, amount, currency, method } = payment;
  return (
    <div className="flex flex-wrap gap-2">
      {payment.recorded_by_id === person ? (
        <p className="self-center text-sm text-muted">{t("approve.own")}</p>
      ) : (
        <AskingButton
          button={t("approve.button")}
          title={t("approve.title", { name })}
          text={t("approve.text", {
            amount: format.money(amount, currency),
            method: t(`methods.${method as HandMethod}`),
          })}
          save={t("approve.button")}
          done={t("approve.done")}
          action={() => approve({ id, subscription_id })}
        />
      )}
      <AskingButton
        look="danger"
        button={t("decline.button")}
        title={t("decline.title", { name })}
        text={t("decline.text")}
        save={t("decline.save")}
        done={t("decline.done")}
        action={(form) => decline({ id, subscription_id, reason: fieldText(form, "reason") })}
      >
        {(error) => <ReasonField label={t("decline.reason")} error={error("reason")} />}
      </AskingButton>
    </div>
  );
}

/** Confirms that money went back, or says that it does not. */
export function RefundButtons({ refund }: { refund: Refund }) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const mayRefund = usePermission("payments:refund");
  const confirm = useScopedAction(confirmRefundAction);
  const refuse = useScopedAction(refuseRefundAction);
  if (!mayRefund || refund.state !== "by_hand") return null;
  const { id, subscription_id } = refund;
  const amount = format.money(refund.amount, refund.currency);
  return (
    <div className="flex flex-wrap gap-2">
      <AskingButton
        button={t("confirm.button")}
        title={t("confirm.title", { amount })}
        save={t("confirm.save")}
        done={t("confirm.done")}
        action={(form) =>
          confirm({ id, subscription_id, reference: fieldText(form, "reference") })
        }
      >
        {(error) => (
          <TextField
            id="reference"
            name="reference"
            autoComplete="off"
            maxLength={200}
            label={t("confirm.reference")}
            hint={t("confirm.referenceHint")}
            error={error("reference")}
          />
        )}
      </AskingButton>
      <AskingButton
        look="danger"
        button={t("refuse.button")}
        title={t("refuse.title", { amount })}
        save={t("refuse.save")}
        done={t("refuse.done")}
        action={(form) => refuse({ id, subscription_id, reason: fieldText(form, "reason") })}
      >
        {(error) => <ReasonField label={t("refuse.reason")} error={error("reason")} />}
      </AskingButton>
    </div>
  );
}

interface ReverseButtonProps {
  recorded_id: string;
  subscription_id: string;
}

export function ReverseButton({ recorded_id: id, subscription_id }: ReverseButtonProps) {
  const t = useTranslations("byHand");
  const reverse = useScopedAction(reversePaymentAction);
  return (
    <AskingButton
      look="danger"
      button={t("reverse.button")}
      title={t("reverse.title")}
      text={t("reverse.text")}
      save={t("reverse.save")}
      done={t("reverse.done")}
      action={(form) => reverse({ id, subscription_id, reason: fieldText(form, "reason") })}
    >
      {(error) => <ReasonField label={t("reverse.reason")} error={error("reason")} />}
    </AskingButton>
  );
}

interface RefundButtonProps {
  payment_id: string;
  subscription_id: string;
  /** Decimal text: what of the payment can still be given back. */
  left: string;
  currency: string;
}

export function RefundButton({
  payment_id,
  subscription_id,
  left,
  currency,
}: RefundButtonProps) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const request = useScopedAction(requestRefundAction);
  // Another one for each refund: only the repetition of one is recognised by it.
  const [key, setKey] = useState(() => crypto.randomUUID());
  return (
    <AskingButton
      button={t("refund.button")}
      title={t("refund.title")}
      text={t("refund.text")}
      save={t("refund.save")}
      done={t("refund.done")}
      action={async (form) => {
        const amount = fieldText(form, "amount");
        const reason = fieldText(form, "reason");
        const result = await request({ key, payment_id, subscription_id, amount, reason });
        if (result.ok || result.failure.kind === "validation") setKey(crypto.randomUUID());
        return result;
      }}
    >
      {(error) => (
        <>
          <TextField
            id="amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            label={t("refund.amount")}
            hint={t("refund.amountHint", { amount: format.money(left, currency) })}
            defaultValue={left}
            error={error("amount")}
          />
          <ReasonField label={t("refund.reason")} error={error("reason")} />
        </>
      )}
    </AskingButton>
  );
}

/** Says what was found when a buyer's word was checked. */
export function CheckButtons({ id }: { id: string }) {
  const t = useTranslations("byHand.tasks");
  const refresh = useRefreshMoney();
  const { run, isPending, failure } = useSellerAction(checkSaidPaidAction);
  if (!usePermission("payments:record")) return null;

  async function check(found: boolean) {
    if (!(await run({ id, found }))) return;
    showToast({ text: t(found ? "foundDone" : "notFoundDone") });
    refresh();
  }

  return (
    <div>
      <FailureNotice failure={failure} />
      <div className="flex flex-wrap gap-2">
        <Button isPending={isPending} onClick={() => void check(true)}>
          {t("found")}
        </Button>
        <Button isPending={isPending} onClick={() => void check(false)}>
          {t("notFound")}
        </Button>
      </div>
    </div>
  );
}
