"use client";

import { useTranslations } from "next-intl";
import Link from "next/link";
import { useScope } from "#components/shell/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import type { DeskPreview } from "#contract/sandbox-preview.ts";
import { statusWords } from "#lib/sandbox/rules.ts";
import type { PreviewSearch } from "#lib/sandbox/search.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";

interface PreviewRowsProps {
  preview: DeskPreview;
  now: string;
  search: PreviewSearch;
  onSearch: (search: PreviewSearch) => void;
}

const LISTS = ["due", "ended"] as const;

/** Who is due then, first whoever ends first, or who has ended by then; ten at a time. */
export function PreviewRows({ preview, now, search, onSearch }: PreviewRowsProps) {
  const t = useTranslations("sandbox.desk");
  const format = useFormat(now);
  const { list, count, results, unpaid, cancelled, statuses } = preview;
  const counts = {
    due: statuses.find(({ status }) => status === "due")?.later ?? 0,
    ended: unpaid + cancelled,
  };
  const seen = (search.page - 1) * 10 + results.length;
  return (
    <>
      <div role="group" aria-label={t("who")} className="mt-4 flex flex-wrap gap-2">
        {LISTS.map((one) => (
          <Button
            key={one}
            aria-pressed={search.list === one}
            className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            onClick={() => onSearch({ list: one, page: 1 })}
          >
            {t(`lists.${one}`, { count: counts[one] })}
          </Button>
        ))}
      </div>
      {results.length === 0 ? (
        <p className="mt-3 text-sm text-muted">
          {t(list === "ended" ? "noneEnded" : "noneDue")}
        </p>
      ) : (
        <ol aria-label={t("who")} className="mt-2 divide-y border-y">
          {results.map((row) => (
            <PreviewRow key={row.subscription_id} row={row} format={format} />
          ))}
        </ol>
      )}
      {count > results.length && (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-sm text-muted">
          <Button
            look="quiet"
            disabled={search.page === 1}
            onClick={() => onSearch({ ...search, page: search.page - 1 })}
          >
            {t("earlier")}
          </Button>
          <span className="tabular-nums">
            {t("place", { seen: format.count(seen), count: format.count(count) })}
          </span>
          <Button
            look="quiet"
            disabled={seen >= count}
            onClick={() => onSearch({ ...search, page: search.page + 1 })}
          >
            {t("further")}
          </Button>
        </div>
      )}
    </>
  );
}

interface PreviewRowProps {
  row: DeskPreview["results"][number];
  format: ReturnType<typeof useFormat>;
}

function PreviewRow({ row, format }: PreviewRowProps) {
  const t = useTranslations("sandbox");
  const scope = useScope();
  const { subscription_id, full_name, product_name, plan_name, amount, price, currency } = row;
  const { old_status, new_status, since, ends_at } = row;
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
      <div className="min-w-0">
        <p>
          <Link
            href={subscriptionPath(scope, subscription_id)}
            prefetch={false}
            className="rounded font-medium text-accent hover:underline"
          >
            {full_name || t("passage.subscription", { id: subscription_id.slice(0, 8) })}
          </Link>{" "}
          <span className="text-sm text-muted">
            {[product_name, plan_name].filter(Boolean).join(" · ")}
          </span>
        </p>
        <p className="text-sm text-muted tabular-nums">
          {old_status !== new_status && since !== null
            ? t("desk.becomes", {
                status: statusWords(t, new_status),
                time: format.dateTime(since),
              })
            : t("desk.already")}
          {ends_at !== null && ` · ${t("desk.endsOn", { time: format.dateTime(ends_at) })}`}
        </p>
      </div>
      <p className="tabular-nums">
        {/* A service of before says the list price alone. */}
        {format.toPay({ amount: amount || price, currency, is_list_price: amount === "" })}
      </p>
    </li>
  );
}
