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
  useSellerAction,
} from "#components/forms/use-action.tsx";
import { useFormat, usePermission } from "#components/context/seller-context.tsx";
import { Button, SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { CircleCheck, Hourglass, ShieldAlert, type IconType } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import {
  changeVerificationAction,
  submitVerificationAction,
} from "#lib/verification/actions.ts";
import { VerificationDocuments } from "./verification-documents.tsx";

const FIELDS = [
  { name: "legal_name", autoComplete: "organization" },
  { name: "pan", inputMode: "numeric", maxLength: 9 },
  { name: "address", autoComplete: "street-address" },
  { name: "contact_name", autoComplete: "name" },
  { name: "contact_phone", autoComplete: "tel", inputMode: "tel" },
  { name: "contact_email", autoComplete: "email", inputMode: "email", isOptional: true },
] as const;
const NAMES: readonly string[] = FIELDS.map(({ name }) => name);

/** What a business hands in, so that the operator verifies its account. */
export function VerificationForm({ initial }: { initial: Verification }) {
  const t = useTranslations("verification");
  const [verification, setVerification] = useState(initial);
  const mayWrite = usePermission("connection:write");
  const isOpen = !["submitted", "verified"].includes(verification.state) && mayWrite;
  return (
    <div className="grid max-w-2xl gap-4">
      <StateNotice verification={verification} />
      <Card aria-labelledby="business" className="p-4 sm:p-5">
        <CardTitle id="business">{t("details.title")}</CardTitle>
        <Details {...{ verification, isOpen }} onSaved={setVerification} />
      </Card>
      <Card aria-labelledby="documents" className="p-4 sm:p-5">
        <CardTitle id="documents">{t("documents.title")}</CardTitle>
        <p className="mt-1 mb-4 text-pretty text-muted">{t("documents.text")}</p>
        <VerificationDocuments {...{ verification, isOpen }} onChanged={setVerification} />
      </Card>
      {isOpen && <Submit onSubmitted={setVerification} />}
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

interface PartProps {
  verification: Verification;
  isOpen: boolean;
}

function Details({
  verification,
  isOpen,
  onSaved,
}: PartProps & { onSaved: (saved: Verification) => void }) {
  const t = useTranslations("verification");
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(changeVerificationAction),
    {
      read: (fields) => ({
        version: verification.version,
        legal_name: fieldText(fields, "legal_name"),
        pan: fieldText(fields, "pan"),
        address: fieldText(fields, "address"),
        contact_name: fieldText(fields, "contact_name"),
        contact_phone: fieldText(fields, "contact_phone"),
        contact_email: fieldText(fields, "contact_email"),
      }),
      onDone: (saved) => {
        onSaved(saved);
        showToast({ text: t("details.saved") });
      },
    },
  );
  return (
    <form {...form} noValidate className="mt-4 grid gap-4 sm:grid-cols-2">
      <div className="empty:hidden sm:col-span-2">
        <FailureNotice failure={unshownFailure(failure, new Set(NAMES))} />
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
          <SubmitButton isPending={isPending}>{t("details.save")}</SubmitButton>
        </div>
      )}
    </form>
  );
}

function Submit({ onSubmitted }: { onSubmitted: (submitted: Verification) => void }) {
  const t = useTranslations("verification");
  const { run, isPending, failure } = useSellerAction(submitVerificationAction);

  async function submit() {
    const result = await run({});
    if (!result) return;
    onSubmitted(result.value);
    window.scrollTo({ top: 0 });
  }

  const missing = failure?.kind === "validation" ? Object.keys(failure.fields) : [];
  const names = missing.map((field) =>
    t(NAMES.includes(field) ? `fields.${field as "pan"}` : "documents.title"),
  );
  return (
    <div>
      <FailureNotice
        failure={failure}
        {...(names.length > 0 && {
          describe: () => ({ title: t("submit.missing"), advice: names.join(", ") }),
        })}
      />
      <Button look="primary" isPending={isPending} onClick={() => void submit()}>
        {t("submit.label")}
      </Button>
      <p className="mt-2 text-sm text-muted">{t("submit.hint")}</p>
    </div>
  );
}
