import { useTranslations } from "next-intl";
import { describeFailure, type Failure } from "#lib/failure.ts";

interface FailureLineProps {
  failure: Failure;
  isRetrying: boolean;
  onRetry: () => void;
}

/** Replaces a part of a page that could not be loaded. */
export function FailureLine({ failure, isRetrying, onRetry }: FailureLineProps) {
  const t = useTranslations();
  return (
    <p role="alert" className="text-muted">
      {describeFailure(t, failure).title}{" "}
      <button
        type="button"
        className="rounded font-medium text-ink underline aria-disabled:no-underline"
        aria-disabled={isRetrying}
        onClick={() => !isRetrying && onRetry()}
      >
        {t(isRetrying ? "failures.tryingAgain" : "failures.tryAgain")}
      </button>
    </p>
  );
}
