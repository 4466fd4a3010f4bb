import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { ScrollArea } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { rawRecordQuery } from "#lib/connection/queries.ts";
import { failureOf } from "#lib/failure.ts";
import type { RawJsonProps } from "./raw-json.tsx";

/** The content of the dialog: read again each time it opens. */
export function RawText({ kind, id, subscription_id = "" }: RawJsonProps) {
  const t = useTranslations("raw");
  const query = useQuery(rawRecordQuery(useScope(), { kind, id: String(id), subscription_id }));
  const { data, error } = query;
  if (error) {
    const failure = failureOf(error);
    return failure.kind === "not_offered" && kind === "payment" ? (
      <p>{t("noPayments")}</p>
    ) : (
      <FailurePanel failure={failure} query={query} />
    );
  }
  if (!data) return <span aria-busy className="skeleton h-80" />;
  return (
    <>
      <p className="mb-2 text-sm text-muted">{t("text")}</p>
      <ScrollArea label={t("label")} className="max-h-96">
        <pre className="px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
          {data.text}
        </pre>
      </ScrollArea>
      <div className="mt-4 flex justify-end">
        <CopyButton text={data.text} label={t("copy")} />
      </div>
    </>
  );
}
