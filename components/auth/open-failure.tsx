import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import { describeWait } from "#lib/format/format.ts";

/** The failure of a form before sign-in, unless a field shows it. */
export function OpenFailure({ failure }: { failure: Failure | null }) {
  const t = useTranslations("auth.failures");
  const format = useTranslations("format");
  if (!failure || failure.kind === "validation") return null;
  return (
    <Notice look="danger" icon={CircleAlert} role="alert">
      {failure.kind === "rate_limited"
        ? t("rateLimited", { wait: describeWait(format, failure.retry_after ?? 60) })
        : t(nameOf(failure))}
    </Notice>
  );
}

function nameOf({ kind }: Failure): "notFound" | "forbidden" | "other" {
  if (kind === "not_found") return "notFound";
  return kind === "forbidden" ? "forbidden" : "other";
}
