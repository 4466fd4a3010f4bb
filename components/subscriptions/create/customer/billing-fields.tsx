import { useTranslations } from "next-intl";
import { readPanVat } from "#components/subscriptions/create/create-subscription-values.ts";
import { FoldedFields } from "#components/subscriptions/create/folded-fields.tsx";
import { FormTextField } from "#components/subscriptions/create/form-text-field.tsx";

export function BillingFields() {
  const t = useTranslations("create.billing");
  return (
    <FoldedFields part="billing">
      <FormTextField path="client.billing.billing_business_name" />
      <FormTextField
        path="client.billing.billing_pan_vat"
        isOptional
        inputMode="numeric"
        hint={t("panHint")}
        read={readPanVat}
      />
      <FormTextField path="client.billing.billing_email" type="email" inputMode="email" />
      <FormTextField path="client.billing.billing_address" />
    </FoldedFields>
  );
}
