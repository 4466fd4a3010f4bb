"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import type { Verification } from "#contract/verification.ts";
import {
  FailureNotice,
  fieldText,
  unshownFailure,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { AccountElsewhere } from "#components/forms/account-elsewhere.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { useFormat, usePermission } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import {
  CircleAlert,
  CircleCheck,
  Hourglass,
  ShieldAlert,
  ShieldCheck,
  type IconType,
} from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import {
  changeVerificationAction,
  submitVerificationAction,
} from "#lib/verification/actions.ts";
import type { VerificationResult } from "#lib/verification/rules.ts";
import { VerificationDocuments } from "./verification-documents.tsx";

const FIELDS = [
  { name: "legal_name", autoComplete: "organization" },
  { name: "pan", inputMode: "numeric", maxLength: 9 },
  { name: "address", autoComplete: "street-address" },
  { name: "contact_name", autoComplete: "name" },
  { name: "contact_phone", autoComplete: "tel", inputMode: "tel" },
  { name: "contact_email", autoComplete: "email", inputMode: "email", isOptional: true },
] as const;
const SHOWN: ReadonlySet<string> = new Set([...FIELDS.map(({ name }) => name), "documents"]);

const readDetails = (form: HTMLFormElement) => ({
  legal_name: fieldText(form, "legal_name"),
  pan: fieldText(form, "pan"),
  address: fieldText(form, "address"),
  contact_name: fieldText(form, "contact_name"),
  contact_phone: fieldText(form, "contact_phone"),
  contact_email: fieldText(form, "contact_email"),
});

export function VerificationSettings({ result }: { result: VerificationResult }) {
  const t = useTranslations("verification.elsewhere");
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if ("absence" in result)
    return <AccountElsewhere icon={ShieldCheck} title={t("title")} text={t("text")} />;
  return <VerificationForm initial={result.verification} />;
}

/** The form with which a business hands in its details and documents to be verified. */
function VerificationForm({ initial }: { initial: Verification }) {
  const t = useTranslations("verification");
  const [verification, setVerification] = useState(initial);
  const mayWrite = usePermission("connection:write");
  const isOpen = !["submitted", "verified"].includes(verification.state) && mayWrite;
  const change = useScopedAction(changeVerificationAction);
  const submit = useScopedAction(submitVerificationAction);
  const [isSending, setSending] = useState(false);
  const { form, isPending, failure, error } = useActionForm(
    async (details: Parameters<typeof change>[0]) => {
      const saved = await change(details);
      if (saved.ok) setVerification(saved.value);
      return saved.ok && isSending ? submit({}) : saved;
    },
    {
      read: (fields) => ({ version: verification.version, ...readDetails(fields) }),
      onDone: (done) => {
        setVerification(done);
        if (isSending) window.scrollTo({ top: 0 });
        else showToast({ text: t("details.saved") });
      },
    },
  );
  const missing = error("documents");
  return (
    <div className="grid max-w-2xl gap-4">
      <StateNotice verification={verification} />
      <Card aria-labelledby="business" className="p-4 sm:p-5">
        <CardTitle id="business">{t("details.title")}</CardTitle>
        <form {...form} id="details" noValidate className="mt-4 grid gap-4 sm:grid-cols-2">
          <div className="empty:hidden sm:col-span-2">
            <FailureNotice failure={unshownFailure(failure, SHOWN)} />
          </div>
          {FIELDS.map(({ name, ...props }) => (
            <TextField
              key={name}
              id={name}
              name={name}
              label={t(`fields.${name}`)}
              defaultValue={verification[name]}
              error={error(name)}
              readOnly={!isOpen}
              {...props}
            />
          ))}
          {isOpen && (
            <div className="sm:col-span-2">
              <Button
                type="submit"
                isPending={isPending && !isSending}
                onClick={() => setSending(false)}
              >
                {t("details.save")}
              </Button>
            </div>
          )}
        </form>
      </Card>
      <Card aria-labelledby="documents" className="p-4 sm:p-5">
        <CardTitle id="documents">{t("documents.title")}</CardTitle>
        <p className="mt-1 mb-4 text-pretty text-muted">{t("documents.text")}</p>
        <VerificationDocuments {...{ verification, isOpen }} onChanged={setVerification} />
      </Card>
      {isOpen && (
        <div>
          {missing && verification.documents.length === 0 && (
            <Notice look="danger" icon={CircleAlert} role="alert" className="mb-4">
              <p>{t("documents.needed")}</p>
            </Notice>
          )}
          <Button
            type="submit"
            form="details"
            look="primary"
            isPending={isPending && isSending}
            onClick={() => setSending(true)}
          >
            {t("submit.label")}
          </Button>
          <p className="mt-2 text-sm text-muted">{t("submit.hint")}</p>
        </div>
      )}
    </div>
  );
}

const LOOKS: Record<string, { look: "info" | "warning" | "danger"; icon: IconType }> = {
  verified: { look: "info", icon: CircleCheck },
  submitted: { look: "info", icon: Hourglass },
  not_verified: { look: "warning", icon: ShieldAlert },
  returned: { look: "warning", icon: ShieldAlert },
  suspended: { look: "danger", icon: ShieldAlert },
};

function StateNotice({
  verification: { state, note, submitted_at },
}: {
  verification: Verification;
}) {
  const t = useTranslations("verification.states");
  const format = useFormat();
  const known = LOOKS[state];
  if (!known) return null;
  const on = submitted_at === null ? "" : format.dateTime(submitted_at);
  const word = state as "submitted";
  return (
    <Notice {...known} role="status">
      <p className="font-medium">{t(`${word}.title`)}</p>
      <p>{t(`${word}.text`, { on })}</p>
      {note && (
        <blockquote className="mt-2 border-l-2 pl-3 whitespace-pre-line">{note}</blockquote>
      )}
    </Notice>
  );
}
