"use client";

import { ExternalLink, Link2Off, QrCode, Send } from "lucide-react";
import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { CONTROL } from "#components/ui/forms/text-field.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { cn } from "#lib/cn.ts";

const SendLink = lazy(async () => {
  const { SendLink: component } = await import("./send-link.tsx");
  return { default: component };
});
const LinkCode = lazy(async () => {
  const { LinkCode: component } = await import("#components/values/link-code.tsx");
  return { default: component };
});

interface CheckoutLinkProps {
  subscription: Subscription;
  /** Null while the seller's checkout address is not known. */
  url: string | null;
  /** Sending the link is the next step. */
  isMain: boolean;
}

/** The link and the ways to get it to the buyer. */
export function CheckoutLink({ subscription, url, isMain }: CheckoutLinkProps) {
  const t = useTranslations("subscription.checkout");
  const [open, setOpen] = useState<"message" | "code" | null>(null);
  const close = () => setOpen(null);
  if (url === null) return <UnknownLink />;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        readOnly
        aria-label={t("title")}
        value={url}
        onFocus={(event) => event.target.select()}
        className={cn(CONTROL, "h-9 min-w-0 flex-[1_1_20rem] font-mono text-sm max-md:h-11")}
      />
      <div className="grid grid-cols-2 gap-2 max-sm:w-full sm:flex">
        <CopyButton text={url} label={t("copy")} look={isMain ? "primary" : "secondary"} />
        <Button className="h-9" aria-haspopup="dialog" onClick={() => setOpen("message")}>
          <Send aria-hidden className="size-4" />
          {t("send")}
        </Button>
        <Button className="h-9" aria-haspopup="dialog" onClick={() => setOpen("code")}>
          <QrCode aria-hidden className="size-4" />
          {t("code")}
        </Button>
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className={buttonClass("secondary", "h-9")}
        >
          <ExternalLink aria-hidden className="size-4" />
          {t.rich("open", { more: (words) => <span className="sr-only">{words}</span> })}
        </a>
      </div>
      <Dialog title={t("sendTitle")} isOpen={open === "message"} onClose={close}>
        <Suspense fallback={<span className="skeleton h-80" />}>
          <SendLink subscription={subscription} link={url} />
        </Suspense>
      </Dialog>
      <Dialog title={t("codeTitle")} isOpen={open === "code"} onClose={close}>
        <Suspense fallback={<span className="skeleton h-80" />}>
          <LinkCode subscription={subscription} link={url} />
        </Suspense>
      </Dialog>
    </div>
  );
}

function UnknownLink() {
  const t = useTranslations("subscription.checkout");
  return (
    <p className="flex items-start gap-2 text-muted">
      <Link2Off aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t("unknown")}
    </p>
  );
}
