import { useTranslations } from "next-intl";
import Link from "next/link";
import { Suspense } from "react";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { Button, useHydrated } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import {
  CloudOff,
  LockKeyhole,
  RefreshCw,
  SearchX,
  TriangleAlert,
} from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { describeFailure, type Failure, type FailureKind } from "#lib/failure.ts";
import { type FaultyConnectionState, connectionStateOfFailure } from "#lib/connection/rules.ts";

const ICONS: Partial<Record<FailureKind, typeof CloudOff>> = {
  unavailable: CloudOff,
  rate_limited: CloudOff,
  not_found: SearchX,
  signed_out: LockKeyhole,
  forbidden: LockKeyhole,
  second_factor: LockKeyhole,
};

interface FailureProps {
  failure: Failure;
  /** The query to retry. */
  query: { isFetching: boolean; refetch: () => unknown };
}

/** Replaces content that could not be loaded: the failure, advice and a retry button. */
export function FailurePanel({ failure, query: { isFetching, refetch } }: FailureProps) {
  const t = useTranslations();
  const state = connectionStateOfFailure(failure);
  // The connection gate replaces this in a moment and looks the same.
  if (state) return <GatePanel state={state} />;
  const { title, advice } = describeFailure(t, failure);
  return (
    <StatePanel
      role="alert"
      icon={ICONS[failure.kind] ?? TriangleAlert}
      title={title}
      text={advice}
      action={
        <>
          {failure.kind === "signed_out" && (
            <Link prefetch={false} href="/sign-in" className={buttonClass("primary")}>
              {t("failures.signIn")}
            </Link>
          )}
          <Button isPending={isFetching} onClick={() => void refetch()}>
            {!isFetching && <RefreshCw aria-hidden className="size-4" />}
            {t(isFetching ? "failures.tryingAgain" : "failures.tryAgain")}
          </Button>
        </>
      }
    />
  );
}

const GateContent = lazyPart(
  async () => (await import("./gate-panel.tsx")).GateContent,
  "layout",
);

/** Replaces content that needs a working connection; its code and words are loaded when there is none. */
export function GatePanel({ state }: { state: FaultyConnectionState }) {
  return (
    <Suspense>
      <GateContent state={state} />
    </Suspense>
  );
}

/** Replaces a part of a page that could not be loaded. */
export function FailureLine({ failure, query: { isFetching, refetch } }: FailureProps) {
  const t = useTranslations();
  const isHydrated = useHydrated();
  return (
    <p role="alert" className="text-muted">
      {describeFailure(t, failure).title}{" "}
      <button
        type="button"
        className="rounded font-medium text-ink underline aria-disabled:no-underline"
        disabled={!isHydrated}
        aria-disabled={isFetching}
        onClick={() => !isFetching && refetch()}
      >
        {t(isFetching ? "failures.tryingAgain" : "failures.tryAgain")}
      </button>
    </p>
  );
}
