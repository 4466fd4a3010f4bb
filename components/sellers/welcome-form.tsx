"use client";

import { useTranslations } from "next-intl";
import { useState, type FormEvent } from "react";
import { FailureNotice } from "#components/layout/failure-notice.tsx";
import { useAction } from "#components/layout/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { createSellerAction } from "#lib/sellers/actions.ts";
import { readSellerFields, SellerFields, type SellerChoices } from "./seller-fields.tsx";

const NEW_SELLER = { name: "", time_zone: "", currency: "NPR", amount_style: "code" } as const;

export function WelcomeForm(choices: SellerChoices) {
  const t = useTranslations("sellers.welcome");
  const { run, isPending, failure } = useAction(createSellerAction);
  const isReady = useHydrated();
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
        <Button
          type="submit"
          look="primary"
          className="h-9"
          disabled={!isReady}
          isPending={isPending || isLeaving}
        >
          {t("submit")}
        </Button>
      </div>
    </form>
  );
}
