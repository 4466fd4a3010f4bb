"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { cn } from "#lib/cn.ts";
import { formatCount } from "#lib/format.ts";
import { pushUrl, UrlLink } from "./url-link.tsx";

interface PaginationProps {
  page: number;
  pageSize: number;
  pageSizes: readonly number[];
  /** Rows on this page. */
  shown: number;
  /** Rows in all; null when the service does not say. */
  total: number | null;
  hasNext: boolean;
  hrefOf: (place: { page: number; page_size: number }) => string;
}

export function Pagination({
  page,
  pageSize,
  pageSizes,
  shown,
  total,
  hasNext,
  hrefOf,
}: PaginationProps) {
  const first = (page - 1) * pageSize + 1;
  const range = `${formatCount(first)}–${formatCount(first + shown - 1)}`;
  const to = (target: number) => hrefOf({ page: target, page_size: pageSize });
  return (
    <nav
      aria-label="Pages"
      className="mt-3 flex flex-wrap items-center justify-between gap-3 text-sm text-muted"
    >
      <p aria-live="polite" className="tabular-nums">
        {range}
        {total !== null && ` of ${formatCount(total)}`}
      </p>
      <div className="flex items-center gap-2">
        <PageSize
          {...{ pageSize, pageSizes }}
          onChange={(size) => pushUrl(hrefOf({ page: 1, page_size: size }))}
        />
        <Step href={page > 1 ? to(page - 1) : null} label="Previous" rel="prev" />
        <Step href={hasNext ? to(page + 1) : null} label="Next" rel="next" />
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
  const sizes = pageSizes.includes(pageSize) ? pageSizes : [pageSize, ...pageSizes];
  return (
    <label className="mr-2 flex items-center gap-2 max-sm:hidden">
      Rows
      <select
        value={pageSize}
        onChange={(event) => onChange(Number(event.target.value))}
        className="h-8 rounded border bg-surface px-2 text-ink tabular-nums shadow-card max-md:h-11"
      >
        {sizes.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </select>
    </label>
  );
}
