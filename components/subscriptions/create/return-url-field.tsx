"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Scope } from "#lib/scope.ts";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { FormTextField } from "./form-text-field.tsx";

const PLACEHOLDER = "https://";

export function ReturnUrlField({ isPreset, ownPage }: { isPreset: boolean; ownPage: string }) {
  const t = useTranslations("create.return");
  const scope = useScope();
  const { getValues, setValue } = useFormContext<CreateSubscriptionValues>();
  const isOwn = useWatch<CreateSubscriptionValues>({ name: "return_url" }) === ownPage;
  useEffect(() => {
    // Read after hydration, because the server does not know it.
    const remembered = recallReturnUrl(scope);
    if (!isPreset && remembered && getValues("return_url") === ownPage)
      setValue("return_url", remembered);
  }, [getValues, setValue, scope, isPreset, ownPage]);
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <CardTitle>{t("title")}</CardTitle>
      <FormTextField
        path="return_url"
        type="url"
        inputMode="url"
        placeholder={PLACEHOLDER}
        hint={t(isOwn ? "own" : isPreset ? "preset" : "hint")}
      />
    </Card>
  );
}

const keyOf = ({ seller, mode }: Scope) => `duebook.return_url.${seller}.${mode}`;

/**
 * Stores the last return URL, to suggest it again. Does nothing if the browser's storage is
 * disabled.
 */
export function rememberReturnUrl(scope: Scope, url: string) {
  try {
    localStorage.setItem(keyOf(scope), url);
  } catch {
    return;
  }
}

function recallReturnUrl(scope: Scope): string {
  try {
    return localStorage.getItem(keyOf(scope)) ?? "";
  } catch {
    return "";
  }
}
