"use client";

import { useTranslations } from "next-intl";
import { AccountElsewhere } from "#components/forms/account-elsewhere.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { ShieldCheck } from "#components/ui/icons.tsx";
import type { VerificationResult } from "#lib/verification/rules.ts";
import { VerificationForm } from "./verification-form.tsx";

export function VerificationSettings({ result }: { result: VerificationResult }) {
  const t = useTranslations("verification.elsewhere");
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if ("absence" in result)
    return <AccountElsewhere icon={ShieldCheck} title={t("title")} text={t("text")} />;
  return <VerificationForm initial={result.verification} />;
}
