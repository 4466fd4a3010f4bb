import { Download, History, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { OlderSteps } from "#components/list/older-steps.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
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
      {acts.length === 0 ? (
        <NoEntries {...{ scope, search }} />
      ) : (
        <ol
          aria-label={t("title")}
          className="divide-y overflow-hidden rounded-md border bg-surface shadow-card"
        >
          {acts.map((act) => (
            <AuditRow key={act.id} {...{ act, scope, date }} />
          ))}
        </ol>
      )}
      <Steps {...{ scope, search, next }} />
    </>
  );
}

function NoEntries({ scope, search }: { scope: Scope; search: AuditSearch }) {
  const t = useTranslations("audit");
  if (isUnfiltered(search))
    return <StatePanel icon={History} title={t("empty.title")} text={t("empty.text")} />;
  return (
    <StatePanel
      icon={SearchX}
      title={t("noMatch.title")}
      text={t("noMatch.text")}
      action={
        <Link href={auditPath(scope)} className={buttonClass()}>
          {t("noMatch.whole")}
        </Link>
      }
    />
  );
}

interface StepsProps {
  scope: Scope;
  search: AuditSearch;
  next: string | null;
}

function Steps({ scope, search, next }: StepsProps) {
  const t = useTranslations("audit.pages");
  return (
    <OlderSteps
      before={search.before}
      next={next}
      pathTo={(before) => auditPath(scope, { ...search, before })}
      words={{ label: t("label"), newest: t("newest"), older: t("older") }}
    />
  );
}
