"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useMemo } from "react";
import { PageLink, useScope, useSeller } from "#components/context/seller-context.tsx";
import { KeysetList } from "#components/list/keyset-list.tsx";
import {
  Ban,
  Check,
  ChevronRight,
  CircleHelp,
  CircleX,
  History,
} from "#components/ui/icons.tsx";
import type { AuditEvent, AuditRow } from "#lib/audit-log/queries.ts";
import {
  auditFilePath,
  auditPath,
  type AuditSearch,
  isUnfiltered,
} from "#lib/audit-log/search.ts";
import { Moment } from "#components/values/day.tsx";
import type { AuditChange } from "#lib/audit-log/rules.ts";
import { fromPropJson } from "#lib/query/fetch-json.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { AuditFilter, type FilterOptions } from "./audit-filter.tsx";

export interface AuditLogPage extends FilterOptions {
  search: AuditSearch;
  rows: AuditRow[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
}

/**
 * A client component that gets its texts in the props: as a server component, its rows would be sent twice,
 * as HTML and as React elements; translating here would need the words of every action.
 * @param json an AuditLogPage by `toPropJson`
 */
export function AuditLog({ json }: { json: string }) {
  const page = useMemo(() => fromPropJson(json) as AuditLogPage, [json]);
  const { search, rows, next, people, actions } = page;
  const t = useTranslations("audit");
  const scope = useScope();
  const { time_zone } = useSeller();
  return (
    <>
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl flex-1 basis-80 text-pretty text-muted">
          {t("text", { zone: time_zone })}
        </p>
        <DownloadLink href={auditFilePath(scope, search)} className="max-md:w-full">
          {t("download")}
        </DownloadLink>
      </div>
      {/* The key remounts the form when the URL changes, so that Back shows the filters in force. */}
      <AuditFilter key={auditPath(scope, search)} {...{ search, people, actions }} />
      <KeysetList
        before={search.before}
        next={next}
        pathTo={(before) => auditPath(scope, { ...search, before })}
        isEmpty={rows.length === 0}
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
          {rows.map((row) => (
            <AuditEntry key={row.id} row={row} />
          ))}
        </ol>
      </KeysetList>
    </>
  );
}

/** A `<details>` row, which opens without JavaScript. */
function AuditEntry({ row }: { row: AuditRow }) {
  const t = useTranslations("audit");
  return (
    <li>
      <details>
        <summary>
          <ChevronRight aria-hidden />
          <span className="event">
            <span>{row.what}</span>
            {row.about.map((words) => ` · ${words}`).join("")}
          </span>
          <span className="person">{row.user_name ?? t("act.nobody")}</span>
          <ResultBadge result={row.result} />
          <Moment iso={row.at} />
        </summary>
        <EventDetails row={row} />
      </details>
    </li>
  );
}

function EventDetails({ row }: { row: AuditRow }) {
  const t = useTranslations("audit.act");
  const tOfModes = useTranslations("audit.modes");
  const scope = useScope();
  const { user_name, user_email, user_id, subscription_id, mode } = row;
  return (
    <dl>
      {row.reason && <Detail label={t("whyNot")}>{row.reason}</Detail>}
      {row.changes.map((change) => (
        <Detail key={change.label} label={change.label}>
          {change.before === undefined ? change.after : <ChangeText {...change} />}
        </Detail>
      ))}
      {subscription_id && (
        <Detail label={t("subscription")}>
          <code>
            <PageLink href={subscriptionPath(scope, subscription_id)}>
              {subscription_id}
            </PageLink>
          </code>
        </Detail>
      )}
      <Detail label={t("person")}>
        {`${user_name ?? t("nobody")} · ${user_email ?? t("noAccount")} · `}
        <PageLink href={auditPath(scope, { person: user_id })}>{t("all")}</PageLink>
      </Detail>
      <Detail label={t("address")}>{row.address ?? t("notKnown")}</Detail>
      <Detail label={t("mode")}>{mode ? tOfModes(mode) : t("bothModes")}</Detail>
      <Detail label={t("action")}>
        <code>{row.action}</code>
      </Detail>
    </dl>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  const t = useTranslations("ui");
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children || <span className="text-faint">{t("none")}</span>}</dd>
    </div>
  );
}

function ChangeText({ before, after }: AuditChange) {
  const t = useTranslations("audit.act");
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
