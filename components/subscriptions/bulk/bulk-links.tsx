"use client";

import { useTranslations } from "next-intl";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ScrollArea } from "#components/ui/card.tsx";
import type { SubscriptionRecord } from "#lib/subscriptions/queries.ts";
import { ReadingProgress, useFreshRecords } from "./bulk-fresh-records.tsx";

export function BulkLinks({ ids }: { ids: readonly string[] }) {
  const t = useTranslations("bulk.links");
  const reading = useFreshRecords(ids);
  if (!reading.isComplete || reading.failure)
    return <ReadingProgress reading={reading} total={ids.length} />;
  const records = ids.flatMap((id) => reading.records.get(id) ?? []);
  const linked = records.filter(hasLink);
  const without = ids.length - linked.length;
  return (
    <>
      {linked.length > 0 && <Links linked={linked} />}
      {without > 0 && (
        <p className="mt-3 text-sm text-muted">
          {without === ids.length ? t("none") : t("without", { count: without })}
        </p>
      )}
    </>
  );
}

type Linked = SubscriptionRecord & { checkout_url: string };

const hasLink = (record: SubscriptionRecord): record is Linked => record.checkout_url !== null;

function Links({ linked }: { linked: Linked[] }) {
  const t = useTranslations("bulk.links");
  const links = linked.map(({ checkout_url }) => checkout_url).join("\n");
  // Spreadsheets split pasted lines into columns at tabs.
  const rows = linked.map(({ subscription: { client }, checkout_url }) =>
    [client.full_name, client.phone, checkout_url]
      .map((cell) => cell.replaceAll(/\s+/g, " "))
      .join("\t"),
  );
  return (
    <>
      <ScrollArea label={t("label")} className="max-h-72">
        <ul className="divide-y">
          {linked.map(({ subscription, checkout_url }) => (
            <li key={subscription.subscription_id} className="px-3 py-1.5">
              <span className="block truncate font-medium">
                {subscription.client.full_name || subscription.client.phone}
              </span>
              <span className="block truncate font-mono text-xs text-muted">
                {checkout_url}
              </span>
            </li>
          ))}
        </ul>
      </ScrollArea>
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <CopyButton text={rows.join("\n")} label={t("copyNamed")} />
        <CopyButton text={links} label={t("copy", { count: linked.length })} look="primary" />
      </div>
    </>
  );
}
