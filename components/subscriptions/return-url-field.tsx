"use client";

import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { useFormContext } from "react-hook-form";
import { useScope } from "#components/layout/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { FormTextField } from "./form-text-field.tsx";
import { recallReturnUrl } from "./return-url-memory.ts";

const BEGINNING = "https://";

/** @param isPreset the seller's settings name one */
export function ReturnUrlField({ isPreset }: { isPreset: boolean }) {
  const t = useTranslations("create.return");
  const scope = useScope();
  const { getValues, setValue } = useFormContext<CreateSubscriptionValues>();
  useEffect(() => {
    // After hydration, because only this browser remembers it.
    if (!getValues("return_url")) setValue("return_url", recallReturnUrl(scope));
  }, [getValues, setValue, scope]);
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <CardTitle>{t("title")}</CardTitle>
      <FormTextField
        path="return_url"
        type="url"
        inputMode="url"
        placeholder={BEGINNING}
        hint={t(isPreset ? "preset" : "hint")}
      />
    </Card>
  );
}
