"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { BackLink } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { useViews } from "#components/list/saved-views.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Bookmark, CircleAlert, LoaderCircle } from "#components/ui/icons.tsx";
import { Notice, StatePanel } from "#components/ui/notice.tsx";
import { moveColumn } from "#lib/subscriptions/columns.ts";
import { viewCountsQuery } from "#lib/subscriptions/views/queries.ts";
import type { View } from "#lib/subscriptions/views/rules.ts";
import { useViewChanges } from "./use-view-changes.ts";
import { ViewRow } from "./view-row.tsx";

interface ViewListProps {
  /** Whether the page replaces this render, so a click would be lost. */
  isPlaceholder?: boolean;
}

export function ViewList({ isPlaceholder = false }: ViewListProps) {
  const t = useTranslations("views");
  const views = useViews();
  const { data: counts } = useQuery({
    ...viewCountsQuery(useScope()),
    enabled: views.length > 0,
  });
  const mayShare = usePermission("views:share");
  const absence = counts && counts.state !== "ready" ? counts.state : null;
  return (
    <>
      <BackLink href="/subscriptions">{t("back")}</BackLink>
      <PageHeader title={t("title")} />
      {views.length === 0 ? (
        <StatePanel
          icon={Bookmark}
          title={t("empty.title")}
          text={t("empty.text")}
          action={
            <ScopedLink href="/subscriptions" className={buttonClass()}>
              {t("empty.action")}
            </ScopedLink>
          }
        />
      ) : (
        <div inert={isPlaceholder}>
          <p className="mb-4 max-w-2xl text-sm text-muted">{t("text")}</p>
          {absence && (
            <Notice
              role="status"
              icon={absence === "halted" ? CircleAlert : LoaderCircle}
              className="mb-4"
            >
              {t(`absent.${absence}`)}
            </Notice>
          )}
          <Group kind="own" views={views.filter((view) => !view.is_shared)} mayChange />
          <Group
            kind="shared"
            views={views.filter((view) => view.is_shared)}
            mayChange={mayShare}
          />
        </div>
      )}
    </>
  );
}

interface GroupProps {
  kind: "own" | "shared";
  views: readonly View[];
  mayChange: boolean;
}

function Group({ kind, views, mayChange }: GroupProps) {
  const t = useTranslations("views");
  const { arrange } = useViewChanges();
  const [said, setSaid] = useState("");

  function move(at: number, by: -1 | 1) {
    arrange(moveColumn([...views], at, by));
    const name = views[at]?.name ?? "";
    setSaid(t("moved", { name, place: at + by + 1, count: views.length }));
  }

  return (
    <section aria-labelledby={`views-${kind}`} className="mb-6">
      <h2 id={`views-${kind}`} className="font-medium">
        {t(kind)}
      </h2>
      <p className="mb-2 text-sm text-muted">{t(`${kind}Note`)}</p>
      {views.length === 0 ? (
        <p className="text-sm text-muted">{t("noneYet")}</p>
      ) : (
        <ul
          aria-labelledby={`views-${kind}`}
          className="divide-y rounded-md border bg-surface shadow-card"
        >
          {views.map((view, at) => (
            <ViewRow
              key={view.id}
              view={view}
              mayChange={mayChange}
              isFirst={at === 0}
              isLast={at === views.length - 1}
              onMove={(by) => move(at, by)}
            />
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </section>
  );
}
