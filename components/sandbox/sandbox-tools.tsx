"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { QueryOutcome } from "#components/list/query-state.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { PageLink, ScopedLink, useScope } from "#components/context/seller-context.tsx";
import { FlaskConical, FlaskConicalOff } from "#components/ui/icons.tsx";
import type { Failure } from "#lib/failure.ts";
import { type Sandbox, sandboxQuery } from "#lib/sandbox/queries.ts";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/notice.tsx";
import { sandboxPath } from "#lib/sandbox/search.ts";
import { ClockCard } from "./clock-card.tsx";
import { PaymentCard } from "./payment-card.tsx";
import { SavedStates } from "./saved-states.tsx";
import { ScenarioListPanel } from "./scenario-list.tsx";

/** @param failure why the server could not read the clock */
export function SandboxTools({ failure }: { failure: Failure | null }) {
  const t = useTranslations("sandbox");
  const query = useQuery(sandboxQuery(useScope()));
  return (
    <>
      <PageHeader title={t("title")} />
      <QueryOutcome {...{ query, failure }}>
        <Tools sandbox={query.data} />
      </QueryOutcome>
    </>
  );
}

/** Loading state: cached data, or cards of the same size. */
export function SandboxSkeleton() {
  const t = useTranslations("sandbox");
  const sandbox = useQueryClient().getQueryData(sandboxQuery(useScope()).queryKey);
  return (
    <>
      <PageHeader title={t("title")} />
      {/* Inert, because the page replaces this render and input would be lost. */}
      <div inert>
        <Tools sandbox={sandbox} />
      </div>
    </>
  );
}

const COLUMNS = "grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]";

function Tools({ sandbox }: { sandbox: Sandbox | undefined }) {
  if (!sandbox)
    return (
      <div aria-busy className={COLUMNS}>
        <span className="skeleton h-64 rounded-md" />
        <span className="skeleton h-64 rounded-md" />
        <span className="skeleton h-72 rounded-md lg:col-span-2" />
      </div>
    );
  if (!sandbox.clock) return <NoSandbox />;
  return (
    <div className={COLUMNS}>
      <ClockCard clock={sandbox.clock} />
      <div className="grid min-w-0 gap-4">
        <SavedStates />
        <PaymentCard />
      </div>
      <ScenarioListPanel />
    </div>
  );
}

/** Explains the sandbox in live mode, and for a service without one. */
function NoSandbox() {
  const t = useTranslations("sandbox.none");
  const scope = useScope();
  if (scope.mode === "live")
    return (
      <StatePanel
        icon={FlaskConical}
        title={t("live.title")}
        text={t("live.text")}
        action={
          <PageLink
            href={sandboxPath({ ...scope, mode: "test" })}
            className={buttonClass("primary")}
          >
            {t("live.open")}
          </PageLink>
        }
      />
    );
  return (
    <StatePanel
      icon={FlaskConicalOff}
      title={t("test.title")}
      text={t("test.text")}
      action={
        <ScopedLink href="/subscriptions" className={buttonClass()}>
          {t("test.open")}
        </ScopedLink>
      }
    />
  );
}
