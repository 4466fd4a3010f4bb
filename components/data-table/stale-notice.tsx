import { CloudOff } from "lucide-react";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure } from "#lib/billing/errors.ts";

interface StaleNoticeProps {
  failure: Failure;
  /** When what is shown was read, as a time of day. */
  asOf: string;
  onRetry: () => void;
}

/** Above data that is still here while a newer reading failed. */
export function StaleNotice({ failure, asOf, onRetry }: StaleNoticeProps) {
  return (
    <Notice look="warning" icon={CloudOff} role="status" className="mb-4">
      {describeFailure(failure).title} You see it as of {asOf}.{" "}
      <button type="button" onClick={onRetry} className="rounded font-medium underline">
        Try again
      </button>
    </Notice>
  );
}
