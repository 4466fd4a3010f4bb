"use client";

import { useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { useSellerAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { resendDeliveryAction } from "#lib/deliveries/actions.ts";
import { deliveriesKey } from "#lib/deliveries/queries.ts";
import { describeWriteFailure } from "#lib/webhooks/rules.ts";

/** Sends the same id and body again; receivers that store ids ignore the copy. */
export function Resend({ id }: { id: number }) {
  const t = useTranslations();
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useSellerAction(resendDeliveryAction);
  const [isSent, setSent] = useState(false);
  const words = failure && describeWriteFailure(t, failure, "tool");
  if (!usePermission("webhooks:write")) return null;

  async function resend() {
    setSent(false);
    const done = await run({ id });
    setSent(done !== null);
    await queryClient.invalidateQueries({ queryKey: deliveriesKey(scope) });
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <p role="status" className="text-sm text-muted empty:sr-only">
        {isSent && t("deliveries.resend.sent")}
        {words && `${words.title} ${words.advice}`}
      </p>
      <Button isPending={isPending} onClick={() => void resend()}>
        {!isPending && <RotateCw aria-hidden className="size-4" />}
        {t("deliveries.resend.resend")}
      </Button>
    </div>
  );
}
