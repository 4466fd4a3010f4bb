"use client";

import { ChevronLeft, ChevronRight, FileQuestion } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { buttonClass } from "#components/ui/button-class.ts";
import { useHydrated } from "#components/ui/button.tsx";
import { cn } from "#lib/cn.ts";
import { StatePanel } from "#components/ui/notice.tsx";
import { UrlLink, pushUrl } from "./links.tsx";

interface PaginationProps {
  paging: { page: number; page_size: number };
  pageSizes: readonly number[];
  /** What came; its count is of rows in all, null when the service does not say. */
  answer: {
    results: unknown[];
    count: number | null;
    next: string | null;
    is_capped?: boolean;
  };
  hrefOf: (place: { page: number; page_size: number }) => string;
}

export function Pagination({ paging, pageSizes, answer, hrefOf }: PaginationProps) {
  const t = useTranslations("table.pages");
  const format = useFormat();
  const { page, page_size: pageSize } = paging;
  const { results, count, next, is_capped = false } = answer;
  const first = (page - 1) * pageSize + 1;
  const range = {
    first: format.count(first),
    last: format.count(first + results.length - 1),
  };
  const to = (target: number) => hrefOf({ page: target, page_size: pageSize });
  return (
    <nav
      aria-label={t("label")}
      className="mt-3 flex flex-wrap items-center justify-between gap-3 text-sm text-muted"
    >
      <p aria-live="polite" className="tabular-nums">
        {count === null
          ? t("range", range)
          : t(is_capped ? "rangeOfMore" : "rangeOf", { ...range, count: format.count(count) })}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <PageSize
          {...{ pageSize, pageSizes }}
          onChange={(size) => pushUrl(hrefOf({ page: 1, page_size: size }))}
        />
        <Step href={page > 1 ? to(page - 1) : null} label={t("previous")} rel="prev" />
        <Step href={next !== null ? to(page + 1) : null} label={t("next")} rel="next" />
      </div>
    </nav>
  );
}

function Step({
  href,
  label,
  rel,
}: {
  href: string | null;
  label: string;
  rel: "prev" | "next";
}) {
  const content = (
    <>
      {rel === "prev" && <ChevronLeft aria-hidden className="size-4" />}
      {label}
      {rel === "next" && <ChevronRight aria-hidden className="size-4" />}
    </>
  );
  const className = buttonClass("secondary", "text-ink");
  if (href === null) {
    return (
      <span aria-disabled className={cn(className, "opacity-45 shadow-none")}>
        {content}
      </span>
    );
  }
  return (
    <UrlLink
      href={href}
      rel={rel}
      className={className}
      onClick={() => window.scrollTo({ top: 0 })}
    >
      {content}
    </UrlLink>
  );
}

interface PageSizeProps {
  pageSize: number;
  pageSizes: readonly number[];
  onChange: (size: number) => void;
}

function PageSize({ pageSize, pageSizes, onChange }: PageSizeProps) {
  const t = useTranslations("table.pages");
  const format = useFormat();
  const isReady = useHydrated();
  const sizes = pageSizes.includes(pageSize) ? pageSizes : [pageSize, ...pageSizes];
  return (
    <label className="mr-2 flex items-center gap-2">
      {t("rows")}
      <select
        value={pageSize}
        disabled={!isReady}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-8 rounded border bg-surface px-2 text-ink tabular-nums shadow-card max-md:h-11"
      >
        {sizes.map((size) => (
          <option key={size} value={size}>
            {format.count(size)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface MissingPageProps {
  page: number;
  /** The address of the list's first page. */
  firstHref: string;
}

export function MissingPage({ page, firstHref }: MissingPageProps) {
  const t = useTranslations("table.missing");
  const format = useFormat();
  return (
    <StatePanel
      icon={FileQuestion}
      title={t("title", { page: format.count(page) })}
      text={t("text")}
      action={
        <UrlLink href={firstHref} className={buttonClass()}>
          {t("first")}
        </UrlLink>
      }
    />
  );
}
