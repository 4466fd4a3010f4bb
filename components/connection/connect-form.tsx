"use client";

import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import Link from "next/link";
import {
  FailureNotice,
  fieldText,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { CircleAlert, CircleCheck, ShieldAlert } from "#components/ui/icons.tsx";
import { connectAction, type KeyCheckReport } from "#lib/connection/actions.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { scopePath } from "#lib/scope.ts";
import { describeKeyCheck } from "#lib/billing/key-check-result.ts";

interface ConnectFormProps {
  /** The stored key, if there is one: replacing it needs the password. */
  replaces?: { hasPassword: boolean };
  /** Called after the key was accepted and stored. */
  onTried: (tried: KeyCheckReport) => void;
}

/** Tests a key and shows the result; a refused key stays in the field. */
export function ConnectForm({ replaces, onTried }: ConnectFormProps) {
  const t = useTranslations("connection.key");
  // The field has no name, so that no browser puts the key in a URL, even before hydration.
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

export function FindingNotice({ tried: { finding, had_prefix } }: { tried: KeyCheckReport }) {
  const t = useTranslations("connection");
  const scope = useScope();
  const other = scope.mode === "test" ? "live" : "test";
  const { title, advice } = describeKeyCheck(t, finding, scope.mode);
  return (
    <Notice {...lookOf(finding.kind)} className="mb-4">
      <p className="font-medium">{title}</p>
      <p>{had_prefix ? t("hadPrefix", { advice }) : advice}</p>
      {finding.kind === "other_mode" && (
        <Link
          prefetch={false}
          href={scopePath({ ...scope, mode: other }, "/settings/connection")}
          className="inline-flex rounded font-medium underline max-md:min-h-11 max-md:items-center"
        >
          {t("toOtherMode", { mode: scope.mode })}
        </Link>
      )}
    </Notice>
  );
}

function lookOf(kind: KeyCheckReport["finding"]["kind"]) {
  if (kind === "good") return { look: "info", icon: CircleCheck, role: "status" } as const;
  if (kind === "unverified")
    return { look: "warning", icon: ShieldAlert, role: "status" } as const;
  return { look: "danger", icon: CircleAlert, role: "alert" } as const;
}
