"use client";

import { useFormContext } from "react-hook-form";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";
import { FoldedFields } from "./folded-fields.tsx";
import { FormTextField } from "./form-text-field.tsx";

export function ShippingFields() {
  const { unregister } = useFormContext<CreateSubscriptionValues>();
  return (
    <FoldedFields
      title="Shipping"
      note="For goods that go to somebody else or somewhere else."
      onRemove={() => unregister("client.shipping")}
    >
      <FormTextField path="client.shipping.full_name" />
      <FormTextField path="client.shipping.phone" type="tel" inputMode="tel" />
      <FormTextField path="client.shipping.email" type="email" inputMode="email" />
      <FormTextField path="client.shipping.address" isOptional />
    </FoldedFields>
  );
}
