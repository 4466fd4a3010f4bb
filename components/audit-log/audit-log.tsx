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
        <ol aria-label={t("title")} className="audit-rows">
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
      <details>
        <summary>
          <ChevronRight aria-hidden />
          <span className="event">
            <span>{describeAuditEvent(t, act)}</span>
            {[
              eventSubject(act),
              moved && `${moved.before} → ${moved.after || t("act.nothing")}`,
            ]
              .filter(Boolean)
              .map((words) => ` · ${words}`)}
          </span>
          <span className="person">{act.user_name ?? t("act.nobody")}</span>
          <ResultBadge result={act.result} />
          <Moment iso={at} />
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
    <dl>
      {reason && <DetailRow label={t("act.whyNot")}>{reason}</DetailRow>}
      {changes.map((change) => (
        <DetailRow key={change.label} label={change.label}>
          <ChangeText {...change} />
        </DetailRow>
      ))}
      {act.subscription_id && (
        <DetailRow label={t("act.subscription")}>
          <code>
            <PageLink href={subscriptionPath(scope, act.subscription_id)}>
              {act.subscription_id}
            </PageLink>
          </code>
        </DetailRow>
      )}
      <DetailRow label={t("act.person")}>
        {act.user_name ?? t("act.nobody")}
        <span className="text-muted"> · {act.user_email ?? t("act.noAccount")} · </span>
        <PageLink href={auditPath(scope, { person: act.user_id })}>{t("act.all")}</PageLink>
      </DetailRow>
      <DetailRow label={t("act.address")}>{act.address ?? t("act.notKnown")}</DetailRow>
      <DetailRow label={t("act.mode")}>
        {act.mode ? t(`modes.${act.mode}`) : t("act.bothModes")}
      </DetailRow>
      <DetailRow label={t("act.action")}>
        <code>{act.action}</code>
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
  done: { icon: Check, tone: "neutral" },
  refused: { icon: Ban, tone: "warning" },
  failed: { icon: CircleX, tone: "danger" },
  unknown: { icon: CircleHelp, tone: "warning" },
};

function ResultBadge({ result }: { result: AuditEvent["result"] }) {
  const t = useTranslations("audit.results");
  return <Badge {...LOOKS[result]}>{t(result)}</Badge>;
}
