import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import { describeFailure, type Failure } from "#lib/failure.ts";

/** The failure above a form or in a dialog; renders nothing without one. */
export function FailureNotice({ failure }: { failure: Failure | null }) {
  const t = useTranslations();
  if (!failure) return null;
  const { title, advice } = describeFailure(t, failure, "write");
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mb-4">
      <p className="font-medium">{title}</p>
      <p>{advice}</p>
    </Notice>
  );
}
