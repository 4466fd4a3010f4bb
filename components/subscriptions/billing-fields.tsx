"use client";

import { useFormContext } from "react-hook-form";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { FoldedFields } from "./folded-fields.tsx";
import { FormTextField } from "./form-text-field.tsx";

export function BillingFields() {
  const { unregister } = useFormContext<CreateSubscriptionValues>();
  return (
    <FoldedFields
      title="Billing details"
      note="Without them, those of the buyer's profile are used."
      onRemove={() => unregister("client.billing")}
    >
      <FormTextField path="client.billing.billing_business_name" />
      <FormTextField
        path="client.billing.billing_pan_vat"
        isOptional
        inputMode="numeric"
        hint="Exactly 9 digits."
      />
      <FormTextField path="client.billing.billing_email" type="email" inputMode="email" />
      <FormTextField path="client.billing.billing_address" />
    </FoldedFields>
  );
}
