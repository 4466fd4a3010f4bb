import { PageLink } from "#components/context/seller-context.tsx";
import { useTranslations } from "next-intl";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import {
  Ban,
  Check,
  ChevronRight,
  CircleHelp,
  CircleX,
  Download,
  History,
} from "#components/ui/icons.tsx";
import type { AuditEvent, FullAuditEvent } from "#lib/audit-log/queries.ts";
import {
  auditFilePath,
  auditPath,
  type AuditSearch,
  isUnfiltered,
} from "#lib/audit-log/search.ts";
import type { Scope } from "#lib/scope.ts";
import { Moment } from "#components/values/day.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import {
  type AuditChange,
  auditChangesOf,
  describeAuditEvent,
  describeReason,
  eventSubject,
} from "#lib/audit-log/rules.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { AuditFilter, type FilterPerson } from "./audit-filter.tsx";

interface AuditLogProps {
  scope: Scope;
  search: AuditSearch;
  page: { acts: FullAuditEvent[]; next: string | null; people: FilterPerson[] };
  time_zone: string;
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

interface AuditEntryProps {
  act: FullAuditEvent;
  scope: Scope;
  date: (iso: string) => string;
}

/** A `<details>` row, which opens without JavaScript. */
function AuditRow({ act, scope, date }: AuditEntryProps) {
  const t = useTranslations("audit");
  const changes = auditChangesOf(t, act.detail, date);
  const moved = changes.find(({ before }) => before);
  const at = new Date(act.at).toISOString();
  return (
    <li>
      <details className="group">
        <summary className="grid min-h-11 cursor-pointer list-none grid-cols-[1rem_minmax(0,1fr)_auto] items-center gap-x-2 gap-y-0.5 px-3 py-2 -outline-offset-2 hover:bg-canvas lg:grid-cols-[1rem_minmax(0,1fr)_11rem_6rem_9.5rem] lg:gap-x-3 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="size-4 text-muted transition-transform group-open:rotate-90"
          />
          <span className="min-w-0 lg:truncate">
            <span className="font-medium">{describeAuditEvent(t, act)}</span>
            <span className="text-muted">
              {[
                eventSubject(act),
                moved && `${moved.before} → ${moved.after || t("act.nothing")}`,
              ]
                .filter(Boolean)
                .map((words) => ` · ${words}`)}
            </span>
          </span>
          <span className="min-w-0 truncate text-muted max-lg:col-start-2 max-lg:row-start-2">
            {act.user_name ?? t("act.nobody")}
          </span>
          <span className="max-lg:col-start-3 max-lg:row-start-1 max-lg:justify-self-end">
            <ResultBadge result={act.result} />
          </span>
          <span className="text-sm text-muted max-lg:col-start-3 max-lg:row-start-2 lg:text-right">
            <Moment iso={at} />
          </span>
        </summary>
        <EventDetails {...{ act, scope, changes }} />
      </details>
    </li>
  );
}

interface EventDetailsProps extends Pick<AuditEntryProps, "act" | "scope"> {
  changes: AuditChange[];
}

function EventDetails({ act, scope, changes }: EventDetailsProps) {
  const t = useTranslations("audit");
  const reason = describeReason(t, act);
  return (
    <dl className="grid gap-2 border-t bg-canvas px-4 py-3 text-sm md:pl-10">
      {reason && <DetailRow label={t("act.whyNot")}>{reason}</DetailRow>}
      {changes.map((change) => (
        <DetailRow key={change.label} label={change.label}>
          <ChangeText {...change} />
        </DetailRow>
      ))}
      {act.subscription_id && (
        <DetailRow label={t("act.subscription")}>
          <PageLink
            href={subscriptionPath(scope, act.subscription_id)}
            className="font-mono text-xs text-accent underline underline-offset-2"
          >
            {act.subscription_id}
          </PageLink>
        </DetailRow>
      )}
      <DetailRow label={t("act.person")}>
        {act.user_name ?? t("act.nobody")}
        <span className="text-muted"> · {act.user_email ?? t("act.noAccount")} · </span>
        <PageLink
          href={auditPath(scope, { person: act.user_id })}
          className="text-accent underline underline-offset-2"
        >
          {t("act.all")}
        </PageLink>
      </DetailRow>
      <DetailRow label={t("act.address")}>{act.address ?? t("act.notKnown")}</DetailRow>
      <DetailRow label={t("act.mode")}>
        {act.mode ? t(`modes.${act.mode}`) : t("act.bothModes")}
      </DetailRow>
      <DetailRow label={t("act.action")}>
        <span className="font-mono text-xs">{act.action}</span>
      </DetailRow>
    </dl>
  );
}

function ChangeText({ before, after }: AuditChange) {
  const t = useTranslations("audit.act");
  if (before === undefined) return after;
  return t.rich("change", {
    before: before || t("nothing"),
    after: after || t("nothing"),
    unseen: (words) => <span className="sr-only">{words}</span>,
    del: (words) => <del className="text-muted">{words}</del>,
    arrow: (words) => <span aria-hidden>{words}</span>,
    ins: (words) => <ins className="no-underline">{words}</ins>,
  });
}

const LOOKS: Record<AuditEvent["result"], BadgeLook> = {
  done: { icon: Check, className: "bg-sunken text-muted" },
  refused: { icon: Ban, className: "bg-warning-soft text-warning" },
  failed: { icon: CircleX, className: "bg-danger-soft text-danger" },
  unknown: { icon: CircleHelp, className: "bg-warning-soft text-warning" },
};

function ResultBadge({ result }: { result: AuditEvent["result"] }) {
  const t = useTranslations("audit.results");
  const { icon, className } = LOOKS[result];
  return (
    <Badge icon={icon} className={className}>
      {t(result)}
    </Badge>
  );
}
