"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import { lazy, Suspense } from "react";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Monitor, QrCodeIcon, RefreshCw } from "#components/ui/icons.tsx";
import { DialogButton, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import type { SharedLinkChange } from "#contract/names.ts";
import { changeSharedLinkAction } from "#lib/products/actions.ts";
import { sharedLinksQuery } from "#lib/products/queries.ts";
import { buttonHtml } from "#lib/products/shared-link.ts";

const SharedLinkPoster = lazy(async () => ({
  default: (await import("./shared-link-poster.tsx")).SharedLinkPoster,
}));

/** A billing period on sale, which can be shared. */
export interface SharedPeriod {
  pbp_id: string;
  product: string;
  label: string;
  plan: string;
  currency: string;
  /** What it costs today, as decimal text. */
  total: string;
}

/** Changes the shared link of a billing period of the page's product. */
export function useSharedLinkChange(pbp_id: string) {
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const { run, isPending, failure } = useSellerAction(changeSharedLinkAction);
  async function change(to: SharedLinkChange): Promise<boolean> {
    const done = await run({ product_id: id, pbp_id, change: to });
    if (!done) return false;
    await queryClient.invalidateQueries({ queryKey: sharedLinksQuery(scope, id).queryKey });
    return true;
  }
  return { change, isPending, failure };
}

interface OfPeriod {
  name: string;
  period: SharedPeriod;
  address: string;
}

export function PosterButton({ name, period, address }: OfPeriod) {
  const t = useTranslations("products.shared");
  const { money } = useFormat();
  return (
    <DialogButton
      aria-label={t("posterOf", { name })}
      icon={QrCodeIcon}
      label={t("poster")}
      title={t("posterOf", { name })}
    >
      {() => (
        <Suspense fallback={<span className="skeleton h-96" />}>
          <SharedLinkPoster
            address={address}
            product={period.product}
            period={name}
            price={money(period.total, period.currency)}
          />
        </Suspense>
      )}
    </DialogButton>
  );
}

export function EmbedButton({
  name,
  period,
  address,
  color,
}: OfPeriod & { color: string | null }) {
  const t = useTranslations("products.shared");
  const text = `${period.product} · ${period.label}`;
  return (
    <DialogButton
      aria-label={t("buttonOf", { name })}
      icon={Monitor}
      label={t("button")}
      title={t("buttonOf", { name })}
    >
      {() => (
        <div className="grid gap-4">
          <p>{t("buttonText")}</p>
          <CodeBlock text={buttonHtml({ address, text, color })} copyLabel={t("buttonCopy")} />
        </div>
      )}
    </DialogButton>
  );
}

export function RenewButton({ name, pbpId }: { name: string; pbpId: string }) {
  const t = useTranslations("products.shared");
  return (
    <DialogButton
      aria-label={t("renewOf", { name })}
      icon={RefreshCw}
      label={t("renew")}
      title={t("renewTitle")}
    >
      {(close) => <RenewDialog pbpId={pbpId} onClose={close} />}
    </DialogButton>
  );
}

function RenewDialog({ pbpId, onClose }: { pbpId: string; onClose: () => void }) {
  const t = useTranslations("products.shared");
  const { change, isPending, failure } = useSharedLinkChange(pbpId);
  useDialogHold(isPending);
  return (
    <div className="grid gap-4">
      <p>{t("renewText")}</p>
      <FailureNotice failure={failure} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button ref={initialFocus} onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button
          look="danger"
          isPending={isPending}
          onClick={() => void change("renew").then((isDone) => isDone && onClose())}
        >
          {t("renew")}
        </Button>
      </div>
    </div>
  );
}
