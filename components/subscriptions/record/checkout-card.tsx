"use client";

import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { lazy, Suspense, useState } from "react";
import {
  CircleCheck,
  ExternalLink,
  Link2Off,
  QrCodeIcon,
  Send,
} from "#components/ui/icons.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Translate } from "#lib/i18n/message.ts";
import { parseCreated, type CreatedParameter } from "#lib/subscriptions/search.ts";
import { hasOpenCheckout, isOneTimePurchase } from "#lib/money/payable.ts";
import { ReuseNotice } from "./reuse-notice.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";

interface CheckoutCardProps {
  subscription: Subscription;
  checkoutUrl: string | null;
  isLoading: boolean;
}

export function CheckoutCard({ subscription, checkoutUrl, isLoading }: CheckoutCardProps) {
  const t = useTranslations("subscription");
  const created = parseCreated(useSearchParams().get("created"));
  const isNew = created !== null;
  if (!hasOpenCheckout(subscription)) return null;
  const isWaiting = subscription.status === "pending_checkout";
  // A paid one-time purchase owes nothing, so its card is shown only right after its creation.
  if (isOneTimePurchase(subscription) && !isNew) return null;
  return (
    <Card aria-labelledby="checkout-title" className="mb-4 p-4 sm:p-5">
      <div role="status">
        <CardTitle id="checkout-title">{titleOf(t, subscription, created)}</CardTitle>
        <Progress subscription={subscription} isNew={isNew} />
      </div>
      {created === "reused" && isWaiting && <ReuseNotice subscription={subscription} />}
      <div className="mt-4">
        {isLoading ? (
          // The skeleton is as high as the loaded link on every screen width.
          <div inert className="skeleton">
            <div className="invisible">
              <CheckoutLink subscription={subscription} url="" isMain={isWaiting} />
            </div>
          </div>
        ) : (
          <CheckoutLink subscription={subscription} url={checkoutUrl} isMain={isWaiting} />
        )}
      </div>
      <p className="mt-3 text-xs text-muted">{t("checkout.note")}</p>
    </Card>
  );
}

function titleOf(
  t: Translate<"subscription">,
  { status }: Subscription,
  created: CreatedParameter | null,
): string {
  if (status === "pending_checkout")
    return created === null ? t("checkout.title") : t(`checkout.is.${created}`);
  return created ? t("checkout.complete") : t("checkout.paymentLink");
}

function Progress({ subscription, isNew }: { subscription: Subscription; isNew: boolean }) {
  const t = useTranslations("subscription.checkout");
  if (subscription.status === "pending_checkout") {
    return (
      <p className="mt-1 flex items-center gap-2 text-muted">
        <span aria-hidden className="relative flex size-2">
          <span className="absolute size-full animate-ping rounded-full bg-pending opacity-60" />
          <span className="size-2 rounded-full bg-pending" />
        </span>
        {t("waiting")}
      </p>
    );
  }
  if (subscription.status === "active" && isNew) {
    return (
      <p className="mt-1 flex items-center gap-1.5 font-medium text-active">
        <CircleCheck aria-hidden className="size-4" />
        {t("paid")}
      </p>
    );
  }
  return (
    <p className="mt-1 text-muted">{subscription.status === "due" ? t("due") : t("next")}</p>
  );
}

const SendLink = lazyPart(
  async () => (await import("./send-link.tsx")).SendLink,
  "subscription",
);
const LinkCode = lazy(() =>
  import("#components/values/link-code.tsx").then((file) => ({ default: file.LinkCode })),
);

interface CheckoutLinkProps {
  subscription: Subscription;
  /** The checkout link; null until the seller's checkout address is known. */
  url: string | null;
  isMain: boolean;
}

function CheckoutLink({ subscription, url, isMain }: CheckoutLinkProps) {
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
        className="input min-w-0 flex-[1_1_20rem] font-mono text-sm max-md:text-lg"
      />
      <div className="grid grid-cols-2 gap-2 max-sm:w-full sm:flex">
        <CopyButton text={url} label={t("copy")} look={isMain ? "primary" : "secondary"} />
        <Button className="h-9" aria-haspopup="dialog" onClick={() => setOpen("message")}>
          <Send aria-hidden className="size-4" />
          {t("send")}
        </Button>
        <Button className="h-9" aria-haspopup="dialog" onClick={() => setOpen("code")}>
          <QrCodeIcon aria-hidden className="size-4" />
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
