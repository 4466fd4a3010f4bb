import { readPhone } from "./create-subscription-values.ts";
import { FoldedFields } from "./folded-fields.tsx";
import { FormTextField } from "./form-text-field.tsx";

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
