import { useTranslations } from "next-intl";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import {
  CloudOff,
  Construction,
  type IconType,
  KeyRound,
  LockKeyhole,
  RefreshCw,
  SearchX,
  ShieldCheck,
  TriangleAlert,
} from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { describeFailure, type Failure, type FailureKind } from "#lib/failure.ts";
import {
  describeState,
  type FaultyConnectionState,
  connectionStateOfFailure,
} from "#lib/connection/rules.ts";
import { scopePath } from "#lib/scope.ts";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";

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

const GATES = {
  none: { icon: KeyRound, wayOut: "connect" },
  unverified: { icon: ShieldCheck, wayOut: "see" },
  // No link here: the banner above the page has it.
  refused: { icon: KeyRound, wayOut: null },
  undecryptable: { icon: KeyRound, wayOut: "reconnect" },
  mode_absent: { icon: Construction, wayOut: null },
} as const satisfies Record<FaultyConnectionState, { icon: IconType; wayOut: string | null }>;

/** Replaces content that needs a working connection. */
export function GatePanel({ state }: { state: FaultyConnectionState }) {
  const t = useTranslations("layout");
  const scope = useScope();
  const mayConnect = usePermission("connection:write");
  const { title, advice } = describeState(t, state, scope.mode);
  const { icon, wayOut } = GATES[state];
  const other = scope.mode === "test" ? "live" : "test";
  return (
    <StatePanel
      role="status"
      icon={icon}
      title={title}
      text={wayOut && !mayConnect ? `${advice} ${t("gate.ask")}` : advice}
      action={
        state === "mode_absent" ? (
          <Link
            prefetch={false}
            href={scopePath({ ...scope, mode: other })}
            className={buttonClass()}
          >
            {t("gate.otherMode", { mode: other })}
          </Link>
        ) : (
          wayOut &&
          mayConnect && (
            <ScopedLink href="/settings/connection" className={buttonClass("primary")}>
              {t(`gate.${wayOut}`)}
            </ScopedLink>
          )
        )
      }
    />
  );
}

/** Replaces a part of a page that could not be loaded. */
export function FailureLine({ failure, query: { isFetching, refetch } }: FailureProps) {
  const t = useTranslations();
  return (
    <p role="alert" className="text-muted">
      {describeFailure(t, failure).title}{" "}
      <button
        type="button"
        className="rounded font-medium text-ink underline aria-disabled:no-underline"
        aria-disabled={isFetching}
        onClick={() => !isFetching && refetch()}
      >
        {t(isFetching ? "failures.tryingAgain" : "failures.tryAgain")}
      </button>
    </p>
  );
}
