"use client";

import { CircleCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import type { Subscription } from "#contract/subscriptions.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Translate } from "#lib/i18n/translate.ts";
import { asCreated, type Created } from "#lib/subscriptions/search.ts";
import { hasOpenCheckout, isOneTimePurchase } from "#lib/money/payable.ts";
import { CheckoutLink } from "./checkout-link.tsx";
import { ReuseNotice } from "#components/subscriptions/create/reuse-notice.tsx";

interface CheckoutCardProps {
  subscription: Subscription;
  checkoutUrl: string | null;
  isLoading: boolean;
}

/** The checkout link and the payment's progress. */
export function CheckoutCard({ subscription, checkoutUrl, isLoading }: CheckoutCardProps) {
  const t = useTranslations("subscription");
  const created = asCreated(useSearchParams().get("created"));
  const isNew = created !== null;
  if (!hasOpenCheckout(subscription)) return null;
  const isWaiting = subscription.status === "pending_checkout";
  // Nothing is left to pay, unless somebody just watched it being paid.
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
          // As high as the link will be, on a screen of any width.
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
  created: Created | null,
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
