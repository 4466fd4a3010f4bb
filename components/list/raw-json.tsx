"use client";

import { useTranslations } from "next-intl";
import { Suspense } from "react";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { DialogButton } from "#components/ui/overlays/dialog.tsx";
import { cn } from "#lib/cn.ts";
import type { RawKind } from "#lib/connection/queries.ts";

const RawText = lazyPart(async () => (await import("./raw-text.tsx")).RawText, "raw");

export interface RawJsonProps {
  kind: RawKind;
  /** The record's id; for a payment, its reference. */
  id: string | number;
  /** The payment's subscription. */
  subscription_id?: string;
  /** Whether it is in a row of details, where it keeps the row's height. */
  isInRow?: boolean;
}

/** Opens the record's JSON as the service sends it, for members who connect programs. */
export function RawJsonButton(props: RawJsonProps) {
  const t = useTranslations("raw");
  if (!usePermission("webhooks:read")) return null;
  return (
    <DialogButton
      look="quiet"
      aria-label={t("openOf")}
      className={cn("font-mono text-xs", props.isInRow && "-my-2 -mr-2 max-md:-my-3")}
      label={t("open")}
      title={t("openOf")}
    >
      {() => (
        <Suspense fallback={<span className="skeleton h-80" />}>
          <RawText {...props} />
        </Suspense>
      )}
    </DialogButton>
  );
}
