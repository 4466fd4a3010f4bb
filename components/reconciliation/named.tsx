import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";
import { useScope } from "#components/shell/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import type { Some } from "#lib/search-index/compare/queries.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { Verdict } from "#components/connection/compare/finding-line.tsx";

interface NamedProps<Row> {
  found: Some<Row>;
  /** What is said of them, and what where there are none. */
  text: string;
  none: string;
  keyOf: (row: Row) => string;
  children: (row: Row) => ReactNode;
}

/** A finding: how many, then the first of them one below the other. */
export function Named<Row>({ found, text, none, keyOf, children }: NamedProps<Row>) {
  const t = useTranslations("reconciliation");
  const format = useFormat();
  const rest = found.count - found.shown.length;
  return (
    <div className="not-first:mt-4">
      <Verdict isGood={found.count === 0}>{found.count === 0 ? none : text}</Verdict>
      {found.shown.length > 0 && (
        <ul className="mt-2 divide-y border-y">
          {found.shown.map((row) => (
            <li key={keyOf(row)} className="py-2 wrap-anywhere">
              {children(row)}
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && (
        <p className="mt-2 text-sm text-muted">
          {t("more", { rest: format.count(rest), count: rest })}
        </p>
      )}
    </div>
  );
}

/** To the record's page, which reads it from the service. */
export function RecordLink({ id, children }: { id: string; children?: ReactNode }) {
  return (
    <Link href={subscriptionPath(useScope(), id)} className="text-accent underline">
      {children || id}
    </Link>
  );
}
