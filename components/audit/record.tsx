import { Download, History, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { OlderSteps } from "#components/list/older-steps.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import type { FullAct } from "#lib/audit/queries.ts";
import {
  isWholeRecord,
  recordFilePath,
  recordPath,
  type RecordSearch,
} from "#lib/audit/search.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { RecordAct } from "./record-act.tsx";
import { RecordFilter, type FilterPerson } from "./record-filter.tsx";

interface RecordProps {
  scope: Scope;
  search: RecordSearch;
  page: { acts: FullAct[]; next: string | null; people: FilterPerson[] };
  time_zone: string;
  /** A day as the reader writes it. */
  date: (iso: string) => string;
}

/** Who did what and when, refused and failed tries too. */
export function Record({ scope, search, page, time_zone, date }: RecordProps) {
  const t = useTranslations("audit");
  const { acts, next, people } = page;
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl flex-1 basis-80 text-pretty text-muted">
          {t("text", { zone: time_zone })}
        </p>
        <a
          href={recordFilePath(scope, search)}
          download
          className={buttonClass("secondary", "max-md:w-full")}
        >
          <Download aria-hidden className="size-4" />
          {t("download")}
        </a>
      </div>
      {/* Anew for another address, so that going back shows what is in force. */}
      <RecordFilter key={recordPath(scope, search)} {...{ scope, search, people }} />
      {acts.length === 0 ? (
        <NoActs {...{ scope, search }} />
      ) : (
        <ol
          aria-label={t("title")}
          className="divide-y overflow-hidden rounded-md border bg-surface shadow-card"
        >
          {acts.map((act) => (
            <RecordAct key={act.id} {...{ act, scope, date }} />
          ))}
        </ol>
      )}
      <Steps {...{ scope, search, next }} />
    </>
  );
}

function NoActs({ scope, search }: { scope: Scope; search: RecordSearch }) {
  const t = useTranslations("audit");
  if (isWholeRecord(search))
    return <StatePanel icon={History} title={t("empty.title")} text={t("empty.text")} />;
  return (
    <StatePanel
      icon={SearchX}
      title={t("noMatch.title")}
      text={t("noMatch.text")}
      action={
        <Link href={recordPath(scope)} className={buttonClass()}>
          {t("noMatch.whole")}
        </Link>
      }
    />
  );
}

interface StepsProps {
  scope: Scope;
  search: RecordSearch;
  next: string | null;
}

function Steps({ scope, search, next }: StepsProps) {
  const t = useTranslations("audit.pages");
  return (
    <OlderSteps
      before={search.before}
      next={next}
      pathTo={(before) => recordPath(scope, { ...search, before })}
      words={{ label: t("label"), newest: t("newest"), older: t("older") }}
    />
  );
}
