import { useTranslations } from "next-intl";
import Link from "next/link";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { useScope } from "#components/layout/seller-context.tsx";
import { useFormat } from "#components/layout/use-format.ts";
import { cn } from "#lib/cn.ts";
import { subscriptionsPath, type SubscriptionSearch } from "#lib/subscriptions/search.ts";
import { statusLabel } from "./subscription-status-badge.tsx";

interface Counter {
  status: SubscriptionSearch["status"];
  countOf: (page: SubscriptionPage) => number | null;
}

const COUNTERS: Counter[] = [
  { status: "due", countOf: (page) => page.due_subscriptions },
  { status: "active", countOf: (page) => page.active_subscriptions },
  { status: "inactive", countOf: (page) => page.inactive_subscriptions },
  { status: null, countOf: (page) => page.total_subscriptions },
];

interface SubscriptionCountersProps {
  page: SubscriptionPage | undefined;
  /** It could not be read: the numbers are not on their way. */
  isMissing: boolean;
}

/** Each leads to its list; what waits for somebody stands first. */
export function SubscriptionCounters({ page, isMissing }: SubscriptionCountersProps) {
  const t = useTranslations("subscriptions");
  const format = useFormat();
  const scope = useScope();
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
      {COUNTERS.map(({ status, countOf }) => {
        const count = page ? countOf(page) : isMissing ? null : undefined;
        return (
          <li key={status}>
            <Link
              href={subscriptionsPath(scope, { status })}
              className="block rounded-md border bg-surface px-4 py-3 shadow-card transition-colors hover:bg-canvas"
            >
              <span className="block text-sm text-muted">
                {status === null ? t("total") : statusLabel(t, status)}
              </span>
              <span
                className={cn(
                  "flex h-8 items-center text-2xl font-semibold tabular-nums",
                  status === "due" && Boolean(count) && "text-due",
                )}
              >
                {count === undefined ? (
                  <span className="skeleton h-6 w-14" />
                ) : count === null ? (
                  "–"
                ) : (
                  format.count(count)
                )}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
