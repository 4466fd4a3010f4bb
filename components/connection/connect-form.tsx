"use client";

import { useTranslations } from "next-intl";
import { useRef, useState, type FormEvent } from "react";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { fieldError, fieldText, useSellerAction } from "#components/forms/use-action.ts";
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
  const { run, isPending, failure } = useSellerAction(connectAction);
  // Without a name, so that no browser puts the key in a URL, even before hydration.
  const key = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<KeyCheckReport | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setRefused(null);
    const result = await run({
      api_key: key.current?.value ?? "",
      current_password: fieldText(event.currentTarget, "current_password"),
    });
    if (!result) return;
    const { kind } = result.value.finding;
    if (kind === "good" || kind === "unverified") onTried(result.value);
    else setRefused(result.value);
  }

  const problem = fieldError(failure, "api_key");
  const wrongPassword = fieldError(failure, "current_password");
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      {!problem && !wrongPassword && <FailureNotice failure={failure} />}
      {refused && <FindingNotice tried={refused} />}
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
