import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { UrlLink } from "#components/list/links.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { X } from "#components/ui/icons.tsx";
import { tagsQuery } from "#lib/tags/queries.ts";
import { tagKey } from "#lib/text/fold-text.ts";
import { FilterSelect } from "./filter-form.tsx";

/** Filters by a tag of the customer. */
export function TagSelect({ form, value }: { form: string; value: string | null }) {
  const t = useTranslations("finding.filter");
  const { data: tags = [] } = useQuery(tagsQuery(useScope()));
  const names = tags.map(({ name }) => name);
  const known = names.find((name) => tagKey(name) === tagKey(value ?? "")) ?? value;
  return (
    <FilterSelect
      key={tags.length}
      {...{ form }}
      name="tag"
      label={t("tag")}
      all={t("everyTag")}
      value={known}
      options={[...new Set([...names, known ?? ""])].filter(Boolean).map((one) => [one, one])}
    />
  );
}

/** A filter as a link that removes it. @param children the filter in words */
export function RemovedFilter({ href, children }: { href: string; children: ReactNode }) {
  const t = useTranslations("finding.chips");
  return (
    <UrlLink
      href={href}
      className="inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-full bg-accent-soft px-2.5 text-sm text-accent max-md:min-h-11"
    >
      <span className="sr-only">{t("remove")}</span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
      <X aria-hidden className="size-3.5" />
    </UrlLink>
  );
}
