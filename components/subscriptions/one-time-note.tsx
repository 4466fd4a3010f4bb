import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { formatCount } from "#lib/format.ts";
import { uncountedRows } from "#lib/subscriptions/rules.ts";

/** Why the list is longer than the number on its tab. */
export function OneTimeNote({ page }: { page: SubscriptionPage }) {
  const uncounted = uncountedRows(page);
  if (uncounted === 0) return null;
  return (
    <p className="mt-3 text-xs text-muted">
      {uncounted === 1
        ? "1 one-time purchase is listed here too"
        : `${formatCount(uncounted)} one-time purchases are listed here too`}
      ; the numbers on the tabs count subscriptions only.
    </p>
  );
}
