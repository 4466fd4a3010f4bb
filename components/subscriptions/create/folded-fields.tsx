"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Plus, X } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import {
  type CreateSubscriptionValues,
  OPTIONAL_SECTIONS,
  readPanVat,
  readPhone,
} from "./create-subscription-values.ts";
import { FormTextField } from "./form-text-field.tsx";

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

/** Optional fields in a disclosure; they are not sent while it is closed. */
function FoldedFields({
  part,
  children,
}: {
  part: "billing" | "shipping";
  children: ReactNode;
}) {
  const t = useTranslations("create");
  const path = `client.${part}` as const;
  const { setValue, unregister } = useFormContext<CreateSubscriptionValues>();
  const isOpen = useWatch<CreateSubscriptionValues>({ name: path }) != null;
  const Icon = isOpen ? X : Plus;
  return (
    <Card className="p-4 sm:p-5">
      <div className="flex items-start justify-between gap-4">
        <div className={cn(isOpen && "self-center")}>
          <CardTitle>{t(`${part}.title`)}</CardTitle>
          {!isOpen && <p className="mt-0.5 text-sm text-muted">{t(`${part}.note`)}</p>}
        </div>
        <Button
          aria-expanded={isOpen}
          onClick={() => (isOpen ? unregister(path) : setValue(path, OPTIONAL_SECTIONS[path]))}
        >
          <Icon aria-hidden className="size-4" />
          <span>
            {t.rich(isOpen ? `remove.${part}` : `add.${part}`, {
              hidden: (words) => <span className="sr-only">{words}</span>,
            })}
          </span>
        </Button>
      </div>
      {isOpen && <div className="mt-4 grid gap-4 sm:grid-cols-2">{children}</div>}
    </Card>
  );
}
