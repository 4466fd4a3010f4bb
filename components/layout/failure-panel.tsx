import {
  CloudOff,
  KeyRound,
  LockKeyhole,
  RefreshCw,
  SearchX,
  TriangleAlert,
} from "lucide-react";
import Link from "next/link";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { describeFailure, type Failure, type FailureKind } from "#lib/billing/errors.ts";

const ICONS: Partial<Record<FailureKind, typeof CloudOff>> = {
  unavailable: CloudOff,
  rate_limited: CloudOff,
  not_found: SearchX,
  unauthorized: KeyRound,
  unverified: KeyRound,
  signed_out: LockKeyhole,
  forbidden: LockKeyhole,
};

interface FailurePanelProps {
  failure: Failure;
  /** True while the next try is under way. */
  isRetrying: boolean;
  onRetry: () => void;
}

/** In the place of content that could not be read: what happened, what to do, and a way to try again. */
export function FailurePanel({ failure, isRetrying, onRetry }: FailurePanelProps) {
  const { title, advice } = describeFailure(failure);
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
              Sign in
            </Link>
          )}
          <Button isPending={isRetrying} onClick={onRetry}>
            {!isRetrying && <RefreshCw aria-hidden className="size-4" />}
            {isRetrying ? "Trying again" : "Try again"}
          </Button>
        </>
      }
    />
  );
}
