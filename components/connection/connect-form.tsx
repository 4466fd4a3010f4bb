"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { useActionForm } from "#components/forms/use-action-form.ts";
import { fieldText, useScopedAction } from "#components/forms/use-action.ts";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { SubmitButton } from "#components/ui/forms/submit-button.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { connectAction, type KeyCheckReport } from "#lib/connection/actions.ts";
import { FindingNotice } from "./key-check-notice.tsx";

interface ConnectFormProps {
  /** Set if a key is stored: replacing it needs the password. */
  replaces?: { hasPassword: boolean };
  /** Called after the key was accepted and stored. */
  onTried: (tried: KeyCheckReport) => void;
}

/** Tests a key and shows the result; a refused key stays in the field. */
export function ConnectForm({ replaces, onTried }: ConnectFormProps) {
  const t = useTranslations("connection.key");
  // Without a name, so that no browser puts the key in a URL, even before hydration.
  const key = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<KeyCheckReport | null>(null);
  const { form, isPending, failure, error } = useActionForm(useScopedAction(connectAction), {
    read: (fields) => ({
      api_key: key.current?.value ?? "",
      current_password: fieldText(fields, "current_password"),
    }),
    onDone: (tried) => {
      const { kind } = tried.finding;
      if (kind === "good" || kind === "unverified") onTried(tried);
      else setRefused(tried);
    },
  });

  const problem = error("api_key");
  const wrongPassword = error("current_password");
  return (
    <form {...form} noValidate>
      {!problem && !wrongPassword && <FailureNotice failure={failure} />}
      {refused && !isPending && !failure && <FindingNotice tried={refused} />}
      <TextField
        id="api-key"
        label={t("label")}
        ref={key}
        error={problem}
        hint={t("hint")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="mb-4"
      />
      {replaces && (
        <div className="mb-4">
          <CurrentPassword hasPassword={replaces.hasPassword} error={wrongPassword} />
        </div>
      )}
      <SubmitButton isPending={isPending}>{isPending ? t("trying") : t("submit")}</SubmitButton>
    </form>
  );
}
