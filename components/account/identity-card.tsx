"use client";

import { useTranslations } from "next-intl";
import { useRef } from "react";
import { PasswordButton } from "#components/forms/password-button.tsx";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { startLinkingAction, unlinkIdentityAction } from "#lib/account/actions.ts";
import { scopePath } from "#lib/scope.ts";
import type { Account } from "#lib/account/rules.ts";
import { SettingRow } from "./profile-card.tsx";

interface IdentityCardProps extends Pick<Account, "identities"> {
  provider: string;
  hasPassword: boolean;
}

/** Links the account to the configured sign-in provider, or unlinks it. */
export function IdentityCard({ provider, identities, hasPassword }: IdentityCardProps) {
  const t = useTranslations("account");
  const format = useFormat();
  const here = scopePath(useScope(), "/settings/account");
  const toProvider = useRef<HTMLFormElement>(null);
  const [linked] = identities;
  const sinceOf = ({ email, linked_at }: Account["identities"][number]) => {
    const date = format.date(linked_at.toISOString());
    return email
      ? t("identity.linkedSince", { email, date })
      : t("identity.unnamedSince", { date });
  };
  return (
    <Card>
      <SettingRow
        label={t("identity.label", { provider })}
        value={linked ? sinceOf(linked) : t("identity.notLinked")}
      >
        {linked ? (
          <PasswordButton
            title={t("identity.unlinkTitle", { provider })}
            label={t("identity.unlink")}
            action={unlinkIdentityAction}
            inputOf={(current_password) => ({
              issuer: linked.issuer,
              subject: linked.subject,
              current_password,
            })}
            hasPassword={hasPassword}
          />
        ) : (
          <PasswordButton
            title={t("identity.linkTitle", { provider })}
            label={t("continue")}
            button={{ children: t("identity.link") }}
            action={startLinkingAction}
            inputOf={(current_password) => ({ current_password })}
            hasPassword={hasPassword}
            onDone={() => void leave(toProvider.current)}
          />
        )}
      </SettingRow>
      <form ref={toProvider} method="post" action="/api/auth/signin/oidc" hidden>
        <input type="hidden" name="csrfToken" />
        <input type="hidden" name="callbackUrl" value={here} />
      </form>
    </Card>
  );
}

/** Submits the form with a new CSRF token; fetching the token also sets its cookie. */
async function leave(form: HTMLFormElement | null) {
  const answer = await fetch("/api/auth/csrf");
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const field = form?.elements.namedItem("csrfToken");
  if (field instanceof HTMLInputElement) field.value = csrfToken;
  form?.submit();
}
