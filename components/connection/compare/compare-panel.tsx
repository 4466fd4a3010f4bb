"use client";

import { useQuery } from "@tanstack/react-query";
import { Database, Scale } from "lucide-react";
import { useTranslations } from "next-intl";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope, useSeller } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { can } from "#lib/auth/permissions.ts";
import { refetchEvery } from "#lib/query/client.ts";
import {
  reconciliationQuery,
  type Reconciliation as View,
} from "#lib/search-index/compare/queries.ts";
import { CheckProgress } from "./compare-progress.tsx";
import { CheckResult } from "#components/reconciliation/check-result.tsx";
import { StartCheck } from "#components/reconciliation/start-check.tsx";
import { useCheck } from "./use-compare.ts";

const LOOK_AGAIN_MS = 3_000;

/** The service, the copy and the webhooks compared: how far it is, what came out, what puts it right. */
export function Reconciliation({ initial }: { initial: View }) {
  const t = useTranslations("reconciliation");
  const { role } = useSeller();
  const drive = useCheck();
  const { data: view } = useQuery({
    ...reconciliationQuery(useScope()),
    initialData: initial,
    // While the copy fills, or another window works on it; one's own steps tell themselves.
    refetchInterval: (query) => {
      const { copy, open } = query.state.data ?? initial;
      const isMoving = copy === "filling" || (open !== null && !drive.isDriving);
      return refetchEvery(isMoving && LOOK_AGAIN_MS)(query);
    },
  });
  const { open, last, copy } = view;
  const mayRepair = can(role, "connection:write");
  // What an unfinished one has found is newer; before it has counted, the last one still stands.
  const hasCounted = open !== null && open.report.counts && open.phase !== "repairing";
  const shown = hasCounted ? open : last;
  return (
    <div className="max-w-4xl">
      <p className="mb-4 max-w-2xl text-pretty text-muted">{t("text")}</p>
      <FailureNotice failure={drive.failure} />
      {copy === "ready" ? (
        <div className="grid gap-4">
          {open ? (
            <CheckProgress check={open} drive={drive} mayRepair={mayRepair} />
          ) : (
            mayRepair && <StartCheck drive={drive} isAgain={last !== null} />
          )}
          {shown?.report.counts ? (
            <CheckResult check={shown} drive={drive} mayRepair={mayRepair} />
          ) : (
            !open && <StatePanel icon={Scale} title={t("empty.title")} text={t("empty.text")} />
          )}
        </div>
      ) : (
        <StatePanel
          icon={Database}
          title={t("noCopy.title")}
          text={t("noCopy.text")}
          action={
            <ScopedLink href="/settings/connection" className={buttonClass()}>
              {t("noCopy.link")}
            </ScopedLink>
          }
        />
      )}
    </div>
  );
}
