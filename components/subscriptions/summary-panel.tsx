import type { UseQueryResult } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, type ReactNode } from "react";
import { StaleNotice, useVisibleFailure } from "#components/list/query-state.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Failure } from "#lib/failure.ts";

export interface SummaryPart<Data> {
  data: Data | undefined;
  failure: Failure | null;
  query: UseQueryResult<Data>;
}

/** @param atServer why the server could not prefetch it */
export function useSummaryPart<Data>(
  query: UseQueryResult<Data>,
  atServer: Failure | null = null,
) {
  const failure = useVisibleFailure(query, atServer);
  return { data: query.data, failure, query };
}

interface SummaryPanelProps {
  title: string;
  count?: number | null | undefined;
  /** Whether the count is only a lower bound. */
  isLeast?: boolean | undefined;
  links: { label: string; href: string }[];
  part: SummaryPart<unknown>;
  note?: ReactNode;
  children: ReactNode;
}

export function SummaryPanel(props: SummaryPanelProps) {
  const { title, count, isLeast = false, links, part, note, children } = props;
  const t = useTranslations("subscriptions");
  const format = useFormat();
  const id = useId();
  const { failure, query } = part;
  return (
    <Card aria-labelledby={id} className="flex min-w-0 flex-col">
      <div className="flex items-center justify-between gap-4 border-b py-1.5 pr-2 pl-4">
        <div className="flex items-center gap-2">
          <CardTitle id={id}>{title}</CardTitle>
          {typeof count === "number" && count > 0 && (
            <span className="tab-count shrink-0 whitespace-nowrap">
              {isLeast ? t("panel.atLeast", { count }) : format.count(count)}
            </span>
          )}
        </div>
        <div className="flex shrink-0">
          {links.map(({ label, href }) => (
            <ScopedLink
              key={href}
              href={href}
              className="inline-flex h-8 items-center rounded px-2 text-sm font-medium text-accent hover:underline max-md:h-11"
            >
              {t.rich("panel.link", {
                label,
                title,
                more: (words) => <span className="sr-only">{words}</span>,
              })}
            </ScopedLink>
          ))}
        </div>
      </div>
      {!failure && (
        <div className="px-4 pt-3 empty:hidden">
          <StaleNotice query={query} />
        </div>
      )}
      {failure ? (
        <div className="p-4">
          <FailureLine failure={failure} query={query} />
        </div>
      ) : (
        children
      )}
      {!failure && note && (
        <p className="mt-auto border-t px-4 py-2.5 text-xs text-muted">{note}</p>
      )}
    </Card>
  );
}

export function EmptyPanelText({ children }: { children: ReactNode }) {
  return <p className="px-4 py-5 text-muted">{children}</p>;
}
