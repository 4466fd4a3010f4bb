// Loaded apart from the page: when one of these dialogs opens, or before by `usePreload`.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { HAND_METHODS, MAX_DOCUMENT_BYTES, type HandMethod } from "#contract/names.ts";
import type { OwedPayment, RecordedPayment } from "#contract/recorded-payments.ts";
import { useFormat, useScope, useSeller } from "#components/context/seller-context.tsx";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import {
  fieldText,
  UNANSWERED_RESULT,
  useReportConnectionFailure,
  useScopedAction,
  type ActionResult,
} from "#components/forms/use-action.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { FileField } from "#components/ui/forms/file-field.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import type { Failure } from "#lib/failure.ts";
import type { ToPay } from "#lib/format/format.ts";
import { noteSaidPaidAction } from "#lib/collection/by-hand/actions.ts";
import { byHandPath } from "#lib/collection/by-hand/queries.ts";
import { ACCEPTED_FILES } from "#lib/verification/rules.ts";
import { useRefreshMoney } from "./record-payment.tsx";

interface RecordDialogProps {
  subscription_id: string;
  owed: NonNullable<OwedPayment["owed"]>;
  today: string;
  close: () => void;
}

interface Recorded {
  key: string;
  amount: string;
  period_start: string | null;
  method: HandMethod;
  reference: string;
  received_on: string;
  photo: File | null;
}

export function RecordDialog({ subscription_id, owed, today, close }: RecordDialogProps) {
  const t = useTranslations("byHand");
  const scope = useScope();
  const format = useFormat();
  const refresh = useRefreshMoney();
  const report = useReportConnectionFailure();
  // The amount and date at the time when the dialog opened, so that the user records what they
  // read.
  const [shown] = useState(owed);
  const [key] = useState(() => crypto.randomUUID());
  const [isLarge, setLarge] = useState(false);
  const money = format.money(shown.amount, shown.currency);

  async function send({ photo, ...fields }: Recorded): Promise<ActionResult<RecordedPayment>> {
    const body = { ...fields, ...(photo && { photo: await base64Of(photo) }) };
    const response = await fetch(byHandPath(scope, subscription_id), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (answer === null) return UNANSWERED_RESULT;
    if (response.ok) return { ok: true, value: answer as RecordedPayment };
    const failure = answer as Failure;
    report(failure);
    return { ok: false, failure };
  }

  function read(form: HTMLFormElement): Recorded | null {
    const file = new FormData(form).get("photo");
    const photo = file instanceof File && file.size > 0 ? file : null;
    const isTooLarge = photo !== null && photo.size > MAX_DOCUMENT_BYTES;
    setLarge(isTooLarge);
    if (isTooLarge) return null;
    return {
      key,
      amount: shown.amount,
      period_start: shown.period_start,
      ...readDetails(form),
      photo,
    };
  }

  function done({ state }: RecordedPayment) {
    close();
    showToast({ text: t(state === "waiting" ? "record.waits" : "record.counted") });
    refresh();
  }

  return (
    <ActionDialog
      noValidate
      isOpen
      title={t("record.title")}
      onClose={close}
      label={t("record.save", { amount: money })}
      action={send}
      read={read}
      onDone={done}
    >
      {(error) => {
        const photoError = isLarge ? t("record.large") : error("photo");
        return (
          <>
            <TextField
              readOnly
              id="amount"
              label={t("record.amount")}
              value={money}
              hint={
                <>
                  {t("record.amountHint")} {shown.is_early && t("record.early")}{" "}
                  {shown.needs_approval && t("record.approval")}
                </>
              }
              error={error("amount") ?? error("period_start")}
            />
            <DetailFields errors={detailErrors(error)} today={today} />
            <FileField
              isOptional
              id="photo"
              name="photo"
              accept={ACCEPTED_FILES.join(",")}
              label={t("record.photo")}
              hint={t("record.photoHint")}
              error={photoError}
            />
          </>
        );
      }}
    </ActionDialog>
  );
}

interface NoteDialogProps {
  subscription_id: string;
  to_pay: ToPay | null;
  today: string;
  close: () => void;
}

export function NoteDialog({ subscription_id, to_pay, today, close }: NoteDialogProps) {
  const t = useTranslations("byHand");
  const { currency } = useSeller();
  const refresh = useRefreshMoney();
  const note = useScopedAction(noteSaidPaidAction);

  function done() {
    close();
    showToast({ text: t("note.saved") });
    refresh();
  }

  return (
    <ActionDialog
      noValidate
      isOpen
      title={t("note.title")}
      onClose={close}
      label={t("note.save")}
      action={note}
      read={(form) => ({
        subscription_id,
        amount: fieldText(form, "amount"),
        currency: to_pay?.currency || currency,
        ...readDetails(form),
      })}
      onDone={done}
    >
      {(error) => (
        <>
          <p>{t("note.text")}</p>
          <TextField
            id="amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            label={t("note.amount")}
            defaultValue={to_pay?.amount ?? ""}
            error={error("amount")}
          />
          <DetailFields errors={detailErrors(error)} today={today} />
        </>
      )}
    </ActionDialog>
  );
}

/** Called while the form renders, because the form itself shows the errors that no field has asked for. */
const detailErrors = (error: (field: string) => string | undefined) => ({
  method: error("method"),
  reference: error("reference"),
  received_on: error("received_on"),
});

interface DetailFieldsProps {
  errors: ReturnType<typeof detailErrors>;
  today: string;
}

function DetailFields({ errors, today }: DetailFieldsProps) {
  const t = useTranslations("byHand");
  return (
    <>
      <SelectField
        id="method"
        name="method"
        label={t("record.method")}
        error={errors.method}
        options={HAND_METHODS.map((method) => [method, t(`methods.${method}`)])}
      />
      <TextField
        isOptional
        id="reference"
        name="reference"
        autoComplete="off"
        maxLength={200}
        label={t("record.reference")}
        hint={t("record.referenceHint")}
        error={errors.reference}
      />
      <TextField
        type="date"
        id="received_on"
        name="received_on"
        label={t("record.day")}
        defaultValue={today}
        error={errors.received_on}
      />
    </>
  );
}

const readDetails = (form: HTMLFormElement) => ({
  method: HAND_METHODS.find((method) => method === fieldText(form, "method")) ?? "cash",
  reference: fieldText(form, "reference"),
  received_on: fieldText(form, "received_on"),
});

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      const text = typeof reader.result === "string" ? reader.result : "";
      resolve(text.slice(text.indexOf(",") + 1));
    });
    reader.addEventListener("error", () => reject(new Error("the photo cannot be read")));
    reader.readAsDataURL(file);
  });
