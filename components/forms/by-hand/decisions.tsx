import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { RecordedPayment } from "#contract/recorded-payments.ts";
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
  declinePaymentAction,
  reversePaymentAction,
} from "#lib/collection/by-hand/actions.ts";
import { sendBillAction } from "#lib/payments/bills/actions.ts";
import { useRefreshMoney } from "./record-payment.tsx";

interface AskingButtonProps<Value> {
  button: string;
  title: string;
  text?: string;
  save: string;
  /** The text after success; it can depend on the result. */
  done: string | ((value: Value) => string);
  look?: "primary" | "danger";
  action: (form: HTMLFormElement) => Promise<ActionResult<Value>>;
  children?: (error: (field: string) => string | undefined) => ReactNode;
}

/** A button with a dialog; afterwards everything that shows payments is read again. */
export function AskingButton<Value>({
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
      onDone={(value, close) => {
        close();
        showToast({ text: typeof done === "string" ? done : done(value) });
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

export const ReasonField = ({ label, error }: ReasonFieldProps) => (
  <TextField
    id="reason"
    name="reason"
    autoComplete="off"
    maxLength={500}
    label={label}
    error={error}
  />
);

/** Approves or declines a recorded payment; the member who recorded it may not approve it. */
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

/** Records whether a member found the payment that a buyer claims to have made. */
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

interface SendBillButtonProps {
  bill_id: string;
  subscription_id: string;
  buyer: string;
}

/** Sends a bill to its buyer, for the first time or again. */
export function SendBillButton({ bill_id, subscription_id, buyer }: SendBillButtonProps) {
  const t = useTranslations("byHand");
  const maySend = usePermission("collection:write");
  const send = useScopedAction(sendBillAction);
  if (!maySend) return null;
  return (
    <AskingButton<{ to: string }>
      button={t("sendBill.button")}
      title={t("sendBill.title", { name: buyer })}
      text={t("sendBill.text")}
      save={t("sendBill.button")}
      done={({ to }) => t("sendBill.done", { to })}
      action={() => send({ bill_id, subscription_id })}
    />
  );
}
