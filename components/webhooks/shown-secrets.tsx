"use client";

import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { KeyRound, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { SnippetTabs } from "#components/ui/snippet-tabs.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { SNIPPETS } from "#contract/generated/verify-snippets.ts";

export interface ShownSecret {
  event: string;
  /** The secret; null if the service showed none, or its answer was lost. */
  secret: string | null;
}

interface ShownSecretsProps {
  secrets: ShownSecret[];
  /** What to do if no secret was shown. */
  lostAdvice: string;
  onDone: () => void;
}

/** Shows new secrets, which cannot be shown again: the service sends each only once. */
export function ShownSecrets({ secrets, lostAdvice, onDone }: ShownSecretsProps) {
  const t = useTranslations("webhooks.secrets");
  const shown = secrets.flatMap(({ event, secret }) =>
    secret === null ? [] : [{ event, secret }],
  );
  // Whether the secret has the format of Standard Webhooks; other schemes have other secrets.
  const isStandard =
    shown.length > 0 && shown.every(({ secret }) => secret.startsWith("whsec_"));
  const lost = secrets.filter(({ secret }) => secret === null);
  return (
    <div className="grid gap-4">
      {shown.length > 0 && (
        <Notice look="warning" icon={TriangleAlert}>
          {t("once", { count: shown.length })}
        </Notice>
      )}
      {shown.map(({ event, secret }) => (
        <div key={event} className="flex items-end gap-2">
          <TextField
            id={`secret-${event}`}
            className="min-w-0 flex-1"
            label={event}
            readOnly
            value={secret}
            spellCheck={false}
            onFocus={(focused) => focused.currentTarget.select()}
          />
          <CopyButton text={secret} label={t("copy")} />
        </div>
      ))}
      {lost.length > 0 && (
        <Notice look="danger" icon={KeyRound}>
          {t("lost", {
            events: lost.map(({ event }) => event).join(", "),
            advice: lostAdvice,
          })}
        </Notice>
      )}
      {isStandard ? (
        <Disclosure title={t("verify")} className="font-medium">
          <div className="mt-2">
            <VerifySnippets />
          </div>
        </Disclosure>
      ) : (
        shown.length > 0 && <p className="text-muted">{t("otherwise")}</p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {shown.length > 1 && (
          <CopyButton
            text={shown.map(({ event, secret }) => `${event}=${secret}`).join("\n")}
            label={t("copyAll")}
          />
        )}
        <Button look="primary" className="h-9" onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}

export function VerifySnippets() {
  const t = useTranslations("webhooks");
  return (
    <SnippetTabs
      snippets={SNIPPETS}
      label={t("verify.language")}
      nameOf={(language) => t(`verify.languages.${language}`)}
      copyLabel={t("verify.copy")}
    />
  );
}
