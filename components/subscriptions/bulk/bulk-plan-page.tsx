"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { forgetDraft, recallDraft } from "#components/forms/draft-memory.ts";
import { BackLink } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink, useSeller } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card } from "#components/ui/card.tsx";
import { ListChecks } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { scopePath } from "#lib/scope.ts";
import { bulkRunTitle } from "#lib/subscriptions/bulk/rules.ts";
import type { Operation } from "#lib/subscriptions/rules.ts";
import { BulkPlan } from "./bulk-plan.tsx";
import { type StoredSelection, selectionKey } from "./bulk-selection.tsx";

/** Plans the change of the subscriptions that were selected in the list. */
export function BulkPlanPage({ operation }: { operation: Operation | null }) {
  const t = useTranslations("bulk");
  const { person, scope } = useSeller();
  const router = useRouter();
  const key = useRef(selectionKey(person, scope));
  const [kept, setKept] = useState<StoredSelection | null>();
  useEffect(() => {
    // Read after hydration, because only the browser has the selection.
    setKept(recallDraft<StoredSelection>(key.current)?.content ?? null);
  }, []);

  if (kept === undefined) return <BulkPlanSkeleton />;
  if (kept === null || operation === null)
    return (
      <Frame>
        <StatePanel
          icon={ListChecks}
          title={t("plan.empty.title")}
          text={t("plan.empty.text")}
          action={
            <ScopedLink href="/subscriptions" className={buttonClass("primary")}>
              {t("subscriptions")}
            </ScopedLink>
          }
        />
      </Frame>
    );
  const list = `/subscriptions${kept.query}`;
  return (
    <Frame list={list} title={bulkRunTitle(t, operation, kept.ids.length)}>
      <h2 className="sr-only">{t("plan.label")}</h2>
      <Card className="max-w-3xl p-4 sm:p-5">
        <BulkPlan
          operation={operation}
          ids={kept.ids}
          onClose={() => router.push(scopePath(scope, list))}
          onStarted={(run) => {
            forgetDraft(key.current);
            // Replaces the page of the plan, so that Back leads to the list.
            router.replace(run);
          }}
        />
      </Card>
    </Frame>
  );
}

export function BulkPlanSkeleton() {
  return (
    <Frame>
      <span aria-busy className="skeleton h-80 max-w-3xl rounded-md" />
    </Frame>
  );
}

interface FrameProps {
  list?: string;
  title?: string;
  children: ReactNode;
}

function Frame({ list = "/subscriptions", title, children }: FrameProps) {
  const t = useTranslations("bulk");
  return (
    <>
      <BackLink href={list}>{t("subscriptions")}</BackLink>
      <PageHeader title={title ?? t("one")} />
      {children}
    </>
  );
}
