import { CircleCheck, CircleX } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useScope } from "#components/context/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { SimulatedPayment } from "#contract/sandbox.ts";
import { describePayment } from "#lib/sandbox/rules.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";

/** The result, its events, and a link to the subscription unless it is open already. */
export function PaymentResult({ ended }: { ended: SimulatedPayment }) {
  const t = useTranslations("sandbox");
  const path = subscriptionPath(useScope(), ended.subscription_id);
  const isHere = usePathname() === path;
  const { events, result } = ended;
  return (
    <Notice icon={result === "paid" ? CircleCheck : CircleX}>
      <p>{describePayment(t, ended)}</p>
      <p className="mt-1">
        {events.length === 0
          ? t("payment.noEvent")
          : t.rich("payment.events", {
              events: events.join(", "),
              names: (words) => <span className="font-mono text-xs">{words}</span>,
            })}
      </p>
      {!isHere && (
        <Link href={path} className="mt-1 inline-block rounded font-medium underline">
          {t("payment.open")}
        </Link>
      )}
    </Notice>
  );
}
