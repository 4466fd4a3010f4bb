"use client";

import { CircleCheck, ExternalLink, Link2Off } from "lucide-react";
import { useSearchParams } from "next/navigation";
import type { Subscription } from "#contract/subscriptions.ts";
import { buttonClass } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { CONTROL } from "#components/ui/text-field.tsx";
import { cn } from "#lib/cn.ts";
import { hasOpenCheckout, isOneTimePurchase } from "#lib/subscriptions/rules.ts";

interface CheckoutCardProps {
  subscription: Subscription;
  checkoutUrl: string | null;
  /** The link is still on its way. */
  isLoading: boolean;
}

/** The link that the buyer pays at, and how far they are. */
export function CheckoutCard({ subscription, checkoutUrl, isLoading }: CheckoutCardProps) {
  const isNew = useSearchParams().get("created") === "1";
  if (!hasOpenCheckout(subscription)) return null;
  const isWaiting = subscription.status === "pending_checkout";
  // Nothing is left to pay, unless somebody just watched it being paid.
  if (isOneTimePurchase(subscription) && !isNew) return null;
  return (
    <Card aria-labelledby="checkout-title" className="mb-6 p-4 sm:p-5">
      <div role="status">
        <CardTitle id="checkout-title">{titleOf(subscription, isNew)}</CardTitle>
        <Progress subscription={subscription} isNew={isNew} />
      </div>
      <div className="mt-4">
        {isLoading ? (
          <span className="skeleton h-9 w-full" />
        ) : (
          <CheckoutLink url={checkoutUrl} isMain={isWaiting} />
        )}
      </div>
      <p className="mt-3 text-xs text-muted">
        A buyer who comes back from the checkout has not proved a payment; only the status here
        counts.
      </p>
    </Card>
  );
}

function titleOf({ status }: Subscription, isNew: boolean): string {
  if (status === "pending_checkout") {
    return isNew ? "Created. Now send this link to the buyer" : "Checkout link";
  }
  return isNew ? "Checkout complete" : "Payment link";
}

function Progress({ subscription, isNew }: { subscription: Subscription; isNew: boolean }) {
  if (subscription.status === "pending_checkout") {
    return (
      <p className="mt-1 flex items-center gap-2 text-muted">
        <span aria-hidden className="relative flex size-2">
          <span className="absolute size-full animate-ping rounded-full bg-pending opacity-60" />
          <span className="size-2 rounded-full bg-pending" />
        </span>
        Waiting for payment. This page notices by itself.
      </p>
    );
  }
  if (subscription.status === "active" && isNew) {
    return (
      <p className="mt-1 flex items-center gap-1.5 font-medium text-active">
        <CircleCheck aria-hidden className="size-4" />
        Paid. The subscription is active.
      </p>
    );
  }
  return (
    <p className="mt-1 text-muted">
      {subscription.status === "due"
        ? "The payment for the next period is due. The buyer pays it at this link."
        : "The buyer pays the next period at this link."}
    </p>
  );
}

function CheckoutLink({ url, isMain }: { url: string | null; isMain: boolean }) {
  if (url === null) {
    return (
      <p className="flex items-start gap-2 text-muted">
        <Link2Off aria-hidden className="mt-0.5 size-4 shrink-0" />
        The link is not known yet: the service names its checkout address only when a
        subscription is created. Create one, and the links of all others appear.
      </p>
    );
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        readOnly
        aria-label="Checkout link"
        value={url}
        onFocus={(event) => event.target.select()}
        className={cn(CONTROL, "h-9 min-w-0 flex-[1_1_16rem] font-mono text-sm max-md:h-11")}
      />
      <CopyButton text={url} label="Copy link" look={isMain ? "primary" : "secondary"} />
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className={buttonClass("secondary", "h-9")}
      >
        <ExternalLink aria-hidden className="size-4" />
        Open
        <span className="sr-only"> in a new tab</span>
      </a>
    </div>
  );
}
