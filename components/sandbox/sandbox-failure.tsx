import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import { inWords } from "#lib/i18n/message.ts";
import { isOutcomeUnknown } from "./use-sandbox-action.ts";

/** The failure of a sandbox action, or that its outcome is unknown. */
export function SandboxFailure({ failure }: { failure: Failure | null }) {
  const t = useTranslations();
  if (failure === null) return null;
  if (isOutcomeUnknown(failure))
    return <Words title={t("sandbox.failure.lost")}>{t("sandbox.failure.look")}</Words>;
  if (failure.kind === "validation") {
    const told = Object.values(failure.fields).flat();
    const words = told.map((text) => inWords(t, text)).join(" ");
    return (
      <Words title={words || failure.detail || t("sandbox.failure.refused")}>
        {t("failures.unchanged")}
      </Words>
    );
  }
  return <FailureNotice failure={failure} />;
}

function Words({ title, children }: { title: string; children: string }) {
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mb-4">
      <p className="font-medium">{title}</p>
      <p>{children}</p>
    </Notice>
  );
}
