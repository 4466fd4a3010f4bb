"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ReactNode, type SubmitEvent, useState, useTransition } from "react";
import { pushUrl, UrlLink } from "#components/list/links.tsx";
import { Button } from "#components/ui/button.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { ListFilter, Search, X } from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { cn } from "#lib/cn.ts";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { facetsQuery, tagsQuery } from "#lib/subscriptions/queries.ts";
import { tagKey } from "#lib/text/fold-text.ts";

interface FilterFormProps {
  label: string;
  /** The URL to which the form is sent before hydration. */
  action: string;
  /** The path of the list under the chosen filters. */
  pathFor: (form: FormData) => string;
  /** Number of active filters. */
  active: number;
  className?: string;
  /** Whether the filters are in a dialog on wide screens too. */
  isFolded?: boolean;
  /** Whether the server renders the list, rather than the browser. */
  isServerPage?: boolean;
  children: ReactNode;
}

/** A form above the list; in a dialog on narrow screens. */
export function FilterForm(props: FilterFormProps) {
  const { label, action, pathFor, active, className, isFolded, isServerPage, children } = props;
  const t = useTranslations("table");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [isPending, startTransition] = useTransition();

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const path = pathFor(new FormData(event.currentTarget));
    if (isServerPage) startTransition(() => router.push(path));
    else pushUrl(path);
    setOpen(false);
  }

  const form = (columns: string) => (
    <form
      role="search"
      aria-label={label}
      action={action}
      onSubmit={submit}
      className={cn("grid gap-3 *:min-w-0", columns)}
    >
      {children}
      <Button
        type="submit"
        look={isFolded ? "primary" : "secondary"}
        isPending={isPending}
        className={isFolded ? "col-span-2" : "h-9 self-end max-lg:col-span-2 max-md:h-11"}
      >
        {!isPending && !isFolded && <Search aria-hidden className="size-4" />}
        {t("apply")}
      </Button>
    </form>
  );
  return (
    <>
      <FilterButton
        className={isFolded ? "h-9 max-md:h-11" : "mb-4 w-full lg:hidden"}
        active={active}
        onClick={() => setOpen(true)}
      />
      {/* Only one of the two is rendered, because their fields have the same ids. */}
      {!isOpen && !isFolded && form(cn("mb-4 max-lg:hidden", className))}
      <Dialog title={t("filter")} isOpen={isOpen} onClose={() => setOpen(false)}>
        {form("grid-cols-2")}
      </Dialog>
    </>
  );
}

interface FilterButtonProps {
  /** Number of active filters. */
  active: number;
  onClick: () => void;
  disabled?: boolean;
  className: string;
}

/** Opens the filters and shows how many are active. */
export function FilterButton({ active, ...props }: FilterButtonProps) {
  const t = useTranslations("table");
  const format = useFormat();
  return (
    <Button {...props} aria-haspopup="dialog">
      <ListFilter aria-hidden className="size-4" />
      {t("filter")}
      {active > 0 && (
        <span className="rounded-full bg-accent-soft px-1.5 text-xs text-accent tabular-nums">
          {format.count(active)}
        </span>
      )}
    </Button>
  );
}

interface FilterFieldProps {
  /** The prefix of the field's id. */
  form: string;
}

interface TextFilterProps extends FilterFieldProps {
  label: string;
  value: string | null;
}

/** Text to search for. */
export function TextFilter({ form, label, value }: TextFilterProps) {
  return (
    <TextField
      id={`${form}-q`}
      name="q"
      label={label}
      type="search"
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      defaultValue={value ?? ""}
    />
  );
}

interface FilterSelectProps extends FilterFieldProps {
  name: string;
  label: string;
  /** The label of the empty option. */
  all: string;
  value: string | number | null;
  options: readonly (readonly [value: string | number, words: string])[];
}

export function FilterSelect({ form, name, label, all, value, options }: FilterSelectProps) {
  return (
    <SelectField
      {...{ name, label, options }}
      id={`${form}-${name}`}
      defaultValue={value ?? ""}
    >
      <option value="">{all}</option>
    </SelectField>
  );
}

interface SubscriptionFieldProps extends FilterFieldProps {
  value: string | null;
  className?: string;
}

export function SubscriptionField({ form, value, className }: SubscriptionFieldProps) {
  const t = useTranslations("table");
  return (
    <TextField
      id={`${form}-subscription`}
      name="subscription"
      label={t("subscription")}
      spellCheck={false}
      autoComplete="off"
      className={className}
      defaultValue={value ?? ""}
    />
  );
}

interface DayRangeFieldsProps extends FilterFieldProps {
  from: string | null;
  to: string | null;
}

/** Two days in the seller's time zone, both inclusive; either may be empty. */
export function DayRangeFields({ form, ...days }: DayRangeFieldsProps) {
  const t = useTranslations("table");
  return (["from", "to"] as const).map((end) => (
    <TextField
      key={end}
      id={`${form}-${end}`}
      name={end}
      label={t(end)}
      type="date"
      defaultValue={days[end] ?? ""}
    />
  ));
}

interface PlanSelectsProps {
  /** The prefix of the fields' ids. */
  form: string;
  product: string | null;
  plan: string | null;
}

/** Filters by product and plan, with the names that the search index has. */
export function PlanSelects({ form, product, plan }: PlanSelectsProps) {
  const t = useTranslations("finding.filter");
  const { data: facets = [] } = useQuery(facetsQuery(useScope()));
  const selects = [
    { name: "product", all: t("everyProduct"), value: product },
    { name: "plan", all: t("everyPlan"), value: plan },
  ] as const;
  return selects.map(({ name, all, value }) => {
    const names = [...facets.map((facet) => facet[`${name}_name`]), value ?? ""];
    return (
      <FilterSelect
        // The key remounts the select when the options arrive: a select drops a default value
        // without an option.
        key={`${name} ${facets.length}`}
        {...{ form, name, all, value }}
        label={t(name)}
        options={[...new Set(names)].filter(Boolean).map((one) => [one, one])}
      />
    );
  });
}

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
