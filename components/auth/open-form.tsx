import type { ReactNode } from "react";
import { useTranslations } from "next-intl";
import type { useActionForm } from "#components/forms/use-action.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { CircleAlert } from "#components/ui/icons.tsx";
import type { Failure } from "#lib/failure.ts";
import { Notice } from "#components/ui/notice.tsx";
import { describeWait } from "#lib/format/format.ts";

interface OpenFormProps extends Pick<
  ReturnType<typeof useActionForm>,
  "form" | "failure" | "isPending"
> {
  label: string;
  children: ReactNode;
}

export function OpenForm({ form, failure, isPending, label, children }: OpenFormProps) {
  return (
    <form {...form} noValidate className="grid gap-4">
      <OpenFailure failure={failure} />
      {children}
      <SubmitButton isPending={isPending} className="h-9">
        {label}
      </SubmitButton>
    </form>
  );
}

/** The failure of a form before sign-in, unless a field shows it. */
function OpenFailure({ failure }: { failure: Failure | null }) {
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
