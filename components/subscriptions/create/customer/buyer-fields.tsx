import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { readPhone } from "#components/subscriptions/create/create-subscription-values.ts";
import { FormTextField } from "#components/subscriptions/create/form-text-field.tsx";
import { KnownCustomerNote } from "./known-customer.tsx";

type BuyerFieldsProps = ComponentProps<typeof KnownCustomerNote>;

export function BuyerFields(props: BuyerFieldsProps) {
  const t = useTranslations("create.buyer");
  return (
    <Card className="grid gap-4 p-4 sm:grid-cols-2 sm:p-5">
      <div className="sm:col-span-2">
        <CardTitle>{t("title")}</CardTitle>
      </div>
      <FormTextField
        path="client.phone"
        type="tel"
        inputMode="tel"
        read={readPhone}
        hint={t("phoneHint")}
      />
      <KnownCustomerNote {...props} />
      <FormTextField path="client.full_name" />
      <FormTextField path="client.email" type="email" inputMode="email" />
      <FormTextField path="client.address" className="sm:col-span-2" />
    </Card>
  );
}
