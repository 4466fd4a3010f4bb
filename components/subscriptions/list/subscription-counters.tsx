import { useTranslations } from "next-intl";
import Link from "next/link";
import type { SubscriptionCounts, SubscriptionList } from "#lib/subscriptions/queries.ts";
import { countIn } from "#lib/subscriptions/rules.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { cn } from "#lib/cn.ts";
import { subscriptionsPath, tabFilters } from "#lib/subscriptions/search.ts";
import { statusLabel } from "#components/subscriptions/subscription-status-badge.tsx";

/** Statuses that need an action come first. */
const COUNTED = [
  "due",
  "active",
  "pending_checkout",
  "pending_cancellation",
  "inactive",
  "cancelled",
  "one_time",
  null,
] as const;

interface SubscriptionCountersProps {
  page: SubscriptionList | undefined;
  counts: SubscriptionCounts | null;
  /** True after a failed read. */
  isMissing: boolean;
}

/** Each count links to its list; the last is the total. */
export function SubscriptionCounters({ page, counts, isMissing }: SubscriptionCountersProps) {
  const t = useTranslations("subscriptions");
  const format = useFormat();
  const scope = useScope();
  return (
    <ul className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
      {COUNTED.map((name) => {
        const known = countIn({ counts, page }, name);
        const count = known === undefined && isMissing ? null : known;
        return (
          <li key={name}>
            <Link
              href={subscriptionsPath(scope, tabFilters(name, counts))}
              className="block rounded-md border bg-surface px-4 py-3 shadow-card transition-colors hover:bg-canvas"
            >
              <span className="block text-sm text-muted">
                {name === null && t("total")}
                {name === "one_time" ? t("filter.oneTime") : name && statusLabel(t, name)}
              </span>
              <span
                className={cn(
                  "flex h-8 items-center text-2xl font-semibold tabular-nums",
                  name === "due" && Boolean(count) && "text-due",
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
