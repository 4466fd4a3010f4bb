"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { FormTextField } from "./form-text-field.tsx";
import { recallReturnUrl } from "./return-url-memory.ts";

const BEGINNING = "https://";

interface ReturnUrlFieldProps {
  isPreset: boolean;
  ownPage: string;
}

export function ReturnUrlField({ isPreset, ownPage }: ReturnUrlFieldProps) {
  const t = useTranslations("create.return");
  const scope = useScope();
  const { getValues, setValue } = useFormContext<CreateSubscriptionValues>();
  const isOwn = useWatch<CreateSubscriptionValues>({ name: "return_url" }) === ownPage;
  useEffect(() => {
    // After hydration, because only this browser remembers it.
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
        placeholder={BEGINNING}
        hint={t(isOwn ? "own" : isPreset ? "preset" : "hint")}
      />
    </Card>
  );
}
