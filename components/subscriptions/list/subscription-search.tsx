"use client";

import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import { pushUrl, UrlLink } from "#components/list/url-link.tsx";
import { useWords } from "#components/list/filters/use-words.ts";
import { useScope } from "#components/context/seller-context.tsx";
import {
  chipsOf,
  FIELDS,
  SAID_BY_TAB,
  typedSearch,
  wholeSearch,
  withoutTerm,
  type Chip,
} from "#lib/subscriptions/query-line.ts";
import {
  filtersOf,
  subscriptionsPath,
  LONGEST_SEARCH_TEXT,
  type SubscriptionSearch,
} from "#lib/subscriptions/search.ts";
import { SubscriptionFilter } from "./subscription-filter.tsx";
import { useChipWords } from "#components/subscriptions/use-chip-words.ts";

interface SubscriptionLineProps {
  search: SubscriptionSearch;
  /** The text as typed, with its terms. */
  line: string;
  onChange: (line: string) => void;
  /** The page replaces this render, so nothing here may open. */
  isPlaceholder: boolean;
}

/** The line above the list: all of it is asked for as it is typed. With Enter its terms become chips. */
export function SubscriptionLine({
  search,
  line,
  onChange,
  isPlaceholder,
}: SubscriptionLineProps) {
  const t = useTranslations("finding");
  const scope = useScope();
  const saysId = useId();
  // Kept beside the line: what stands for the page until it comes may have been asked already.
  const [asked, setAsked] = useWords("subscriptions asked");
  const problems = asked === line ? wholeSearch(search, line).problems : [];

  const typed = typedSearch(search, line).search;

  function type(next: string) {
    onChange(next);
    // The words have pages of their own.
    if (search.page > 1) pushUrl(subscriptionsPath(scope, wholeSearch(search, next).search));
  }

  function take() {
    const whole = wholeSearch(search, line);
    setAsked(line);
    if (whole.problems.length > 0) return;
    onChange(whole.words);
    pushUrl(subscriptionsPath(scope, whole.search));
  }

  return (
    <>
      <SearchInput
        label={t("label")}
        placeholder={t("placeholder")}
        longest={LONGEST_SEARCH_TEXT}
        value={line}
        onChange={type}
        onEnter={take}
        describedBy={problems.length > 0 ? saysId : undefined}
      >
        <div inert={isPlaceholder} className="contents">
          <SubscriptionFilter search={typed} />
        </div>
      </SearchInput>
      <div role="status" id={saysId} className="mb-4 text-sm text-danger empty:sr-only">
        {problems.map((problem) => (
          <p key={problem.text}>
            {t(`problems.${problem.kind}`, {
              term: problem.text,
              fields: FIELDS.join(", "),
            })}
          </p>
        ))}
      </div>
      <Chips {...{ search, typed }} />
    </>
  );
}

/** Removable filters; the status has its tabs. */
function Chips({ search, typed }: ChipsProps) {
  const chips = chipsOf(filtersOf(search)).filter(({ field }) => !SAID_BY_TAB.includes(field));
  return chips.length > 0 && <ChipList {...{ search, typed, chips }} />;
}

interface ChipsProps {
  search: SubscriptionSearch;
  /** The search with the terms typed in the line. */
  typed: SubscriptionSearch;
}

function ChipList({ search, typed, chips }: ChipsProps & { chips: Chip[] }) {
  const t = useTranslations("finding");
  const scope = useScope();
  const describe = useChipWords(search);
  const without = (chip: Chip) =>
    subscriptionsPath(scope, { ...typed, ...withoutTerm(filtersOf(typed), chip), page: 1 });
  return (
    <ul aria-label={t("chips.label")} className="mb-4 flex flex-wrap gap-2">
      {chips.map((chip) => (
        <li key={chip.names.join()}>
          <UrlLink
            href={without(chip)}
            className="inline-flex min-h-7 items-center gap-1.5 rounded-full bg-accent-soft px-2.5 text-sm text-accent max-md:min-h-11"
          >
            <span className="sr-only">{t("chips.remove")}</span> {describe(chip)}
            <X aria-hidden className="size-3.5" />
          </UrlLink>
        </li>
      ))}
    </ul>
  );
}
