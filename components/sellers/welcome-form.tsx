"use client";

import { useTranslations } from "next-intl";
import { useState, type FormEvent } from "react";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { useAction } from "#components/forms/use-action.ts";
import { SubmitButton } from "#components/ui/forms/submit-button.tsx";
import { createSellerAction } from "#lib/sellers/actions.ts";
import { readSellerFields, SellerFields, type SellerChoices } from "./seller-fields.tsx";

const NEW_SELLER = { name: "", time_zone: "", currency: "NPR", amount_style: "code" } as const;

export function WelcomeForm(choices: SellerChoices) {
  const t = useTranslations("sellers.welcome");
  const { run, isPending, failure } = useAction(createSellerAction);
  const [isLeaving, setLeaving] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const created = await run(readSellerFields(event.currentTarget));
    if (!created) return;
    setLeaving(true);
    // A full load, so that nothing of another seller stays in memory.
    window.location.assign(created.value.path);
  }

  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)}>
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
