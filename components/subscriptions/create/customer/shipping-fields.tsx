import { readPhone } from "#components/subscriptions/create/create-subscription-values.ts";
import { FoldedFields } from "#components/subscriptions/create/folded-fields.tsx";
import { FormTextField } from "#components/subscriptions/create/form-text-field.tsx";

export function ShippingFields() {
  return (
    <FoldedFields part="shipping">
      <FormTextField path="client.shipping.full_name" />
      <FormTextField path="client.shipping.phone" type="tel" inputMode="tel" read={readPhone} />
      <FormTextField path="client.shipping.email" type="email" inputMode="email" />
      <FormTextField path="client.shipping.address" isOptional />
    </FoldedFields>
  );
}
