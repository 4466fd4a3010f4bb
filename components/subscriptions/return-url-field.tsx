"use client";

import { useEffect } from "react";
import { useFormContext } from "react-hook-form";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { FormTextField } from "./form-text-field.tsx";
import { recallReturnUrl } from "./return-url-memory.ts";

export function ReturnUrlField() {
  const { getValues, setValue } = useFormContext<CreateSubscriptionValues>();
  useEffect(() => {
    // After hydration, because only this browser remembers it.
    if (!getValues("return_url")) setValue("return_url", recallReturnUrl());
  }, [getValues, setValue]);
  return (
    <Card className="grid gap-4 p-4 sm:p-5">
      <CardTitle>After the checkout</CardTitle>
      <FormTextField
        path="return_url"
        type="url"
        inputMode="url"
        placeholder="https://"
        hint="Where the buyer lands afterwards. This browser remembers it for the next time."
      />
    </Card>
  );
}
