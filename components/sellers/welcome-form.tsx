"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailureNotice, useActionForm } from "#components/forms/use-action.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { createSellerAction } from "#lib/sellers/actions.ts";
import { readSellerFields, SellerFields, type SellerChoices } from "./seller-fields.tsx";

const NEW_SELLER = { name: "", time_zone: "", currency: "NPR", amount_style: "code" } as const;

export function WelcomeForm(choices: SellerChoices) {
  const t = useTranslations("sellers.welcome");
  const [isLeaving, setLeaving] = useState(false);
  const { form, isPending, failure } = useActionForm(createSellerAction, {
    read: readSellerFields,
    onDone: ({ path }) => {
      setLeaving(true);
      // A full load, so that no data of another seller stays in memory.
      window.location.assign(path);
    },
  });

  return (
    <form {...form} noValidate>
      <FailureNotice failure={failure} />
      <div className="grid gap-4">
        <SellerFields values={NEW_SELLER} failure={failure} {...choices} />
        <SubmitButton className="h-9" isPending={isPending || isLeaving}>
          {t("submit")}
        </SubmitButton>
      </div>
    </form>
  );
}
