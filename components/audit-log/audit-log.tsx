import { Download, History } from "lucide-react";
import { useTranslations } from "next-intl";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { FullAuditEvent } from "#lib/audit-log/queries.ts";
import {
  isUnfiltered,
  auditFilePath,
  auditPath,
  type AuditSearch,
} from "#lib/audit-log/search.ts";
import type { Scope } from "#lib/scope.ts";
import { AuditRow } from "./audit-entry.tsx";
import { AuditFilter, type FilterPerson } from "./audit-filter.tsx";

interface AuditLogProps {
  scope: Scope;
  search: AuditSearch;
  page: { acts: FullAuditEvent[]; next: string | null; people: FilterPerson[] };
  time_zone: string;
  /** Formats a day for the reader. */
  date: (iso: string) => string;
}

export function AuditLog({ scope, search, page, time_zone, date }: AuditLogProps) {
  const t = useTranslations("audit");
  const { acts, next, people } = page;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl flex-1 basis-80 text-pretty text-muted">
          {t("text", { zone: time_zone })}
        </p>
        <a
          href={auditFilePath(scope, search)}
          download
          className={buttonClass("secondary", "max-md:w-full")}
        >
          <Download aria-hidden className="size-4" />
          {t("download")}
        </a>
      </div>
      {/* The key remounts the form when the URL changes, so that Back shows the filters in force. */}
      <AuditFilter key={auditPath(scope, search)} {...{ scope, search, people }} />
      <KeysetList
        before={search.before}
        next={next}
        pathTo={(before) => auditPath(scope, { ...search, before })}
        words={{
          label: t("pages.label"),
          newest: t("pages.newest"),
          older: t("pages.older"),
        }}
        isEmpty={acts.length === 0}
        empty={{ icon: History, title: t("empty.title"), text: t("empty.text") }}
        noMatch={
          isUnfiltered(search)
            ? null
            : {
                title: t("noMatch.title"),
                text: t("noMatch.text"),
                all: t("noMatch.whole"),
                allPath: auditPath(scope),
              }
        }
      >
        <ol
          aria-label={t("title")}
          className="divide-y overflow-hidden rounded-md border bg-surface shadow-card"
        >
          {acts.map((act) => (
            <AuditRow key={act.id} {...{ act, scope, date }} />
          ))}
        </ol>
      </KeysetList>
    </>
  );
}
