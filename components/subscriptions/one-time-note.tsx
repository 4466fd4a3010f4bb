import { useTranslations } from "next-intl";
import type { SubscriptionPage } from "#contract/subscriptions.ts";
import { uncountedRows } from "#lib/subscriptions/rules.ts";

/** Why the list is longer than the number on its tab. */
export function OneTimeNote({ page }: { page: SubscriptionPage }) {
  const t = useTranslations("subscriptions");
  const uncounted = uncountedRows(page);
  if (uncounted === 0) return null;
  return <p className="mt-3 text-xs text-muted">{t("oneTimeNote", { count: uncounted })}</p>;
}
