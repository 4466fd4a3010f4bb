import { CloudOff, LockKeyhole, RefreshCw, SearchX, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { describeFailure, type Failure, type FailureKind } from "#lib/failure.ts";
import { stateOfFailure } from "#lib/connection/rules.ts";
import { GatePanel } from "#components/forms/gate-panel.tsx";

const ICONS: Partial<Record<FailureKind, typeof CloudOff>> = {
  unavailable: CloudOff,
  rate_limited: CloudOff,
  not_found: SearchX,
  signed_out: LockKeyhole,
  forbidden: LockKeyhole,
  second_factor: LockKeyhole,
};

interface FailurePanelProps {
  failure: Failure;
  /** True during a retry. */
  isRetrying: boolean;
  onRetry: () => void;
}

/** Replaces content that could not be loaded: the failure, advice and a retry button. */
export function FailurePanel({ failure, isRetrying, onRetry }: FailurePanelProps) {
  const t = useTranslations();
  const state = stateOfFailure(failure);
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
            <Link href="/sign-in" className={buttonClass("primary")}>
              {t("failures.signIn")}
            </Link>
          )}
          <Button isPending={isRetrying} onClick={onRetry}>
            {!isRetrying && <RefreshCw aria-hidden className="size-4" />}
            {t(isRetrying ? "failures.tryingAgain" : "failures.tryAgain")}
          </Button>
        </>
      }
    />
  );
}
