"use client";

import { useQuery } from "@tanstack/react-query";
import { ListTodo } from "lucide-react";
import { useTranslations } from "next-intl";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { bulkRunsQuery, type BulkRunSummary } from "#lib/subscriptions/bulk/queries.ts";

const SHOWN = 3;
const LOOK_AGAIN_MS = 5_000;

/** Above the list: the bulk changes that somebody began and nobody finished. */
export function BulkRunNotice() {
  const t = useTranslations("bulk.notice");
  const { data = [] } = useQuery({
    ...bulkRunsQuery(useScope()),
    refetchInterval: ({ state }) =>
      state.data?.some(({ is_busy, rest }) => is_busy && rest > 0) ? LOOK_AGAIN_MS : false,
  });
  const open = data.filter(({ rest, closed_at }) => rest > 0 && closed_at === null);
  return open.slice(0, SHOWN).map((run) => (
    <Notice key={run.id} look="warning" icon={ListTodo} className="mb-4">
      {t(collectionStatusOf(run), { done: run.items - run.rest, total: run.items })}{" "}
      <ScopedLink
        href={`/subscriptions/bulk/${run.id}`}
        className="rounded font-medium underline"
      >
        {t.rich("open", { hidden: (words) => <span className="sr-only">{words}</span> })}
      </ScopedLink>
    </Notice>
  ));
}

function collectionStatusOf({ is_busy, paused_at }: BulkRunSummary) {
  if (paused_at !== null) return "paused";
  return is_busy ? "driving" : "stopped";
}
