import { useTranslations } from "next-intl";
import type { DocumentKind, VerificationState } from "#contract/names.ts";
import type { OperatorAccount } from "#contract/verification.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { ScrollText } from "#components/ui/icons.tsx";
import { documentPath } from "#lib/operator/rules.ts";
import { fileSizeOf } from "#lib/verification/rules.ts";
import { DecisionButtons } from "./decision-buttons.tsx";

const DETAILS = [
  "legal_name",
  "pan",
  "address",
  "contact_name",
  "contact_phone",
  "contact_email",
] as const;

interface AccountReviewProps {
  account: OperatorAccount;
  time: (iso: string | null) => string;
}

/** The details and documents that a business handed in, and the decisions that the operator can take. */
export function AccountReview({ account, time }: AccountReviewProps) {
  const t = useTranslations("operator");
  const tOfForm = useTranslations("verification");
  const { account_id, name, note, documents, opened_at, submitted_at } = account;
  return (
    <div className="grid gap-4">
      <div>
        <h1 className="text-xl font-semibold wrap-anywhere">{name}</h1>
        <p className="text-muted">
          {t("account.number", { number: String(account_id) })} ·{" "}
          {t(`states.${account.state as VerificationState}`)}
        </p>
      </div>
      <DecisionButtons {...{ account_id, name }} state={account.state} />
      <Card aria-labelledby="details" className="p-4 sm:p-5">
        <CardTitle id="details">{t("account.details")}</CardTitle>
        <dl className="mt-3 divide-y border-y">
          {DETAILS.map((field) => (
            <FactRow key={field} label={tOfForm(`fields.${field}`)}>
              <span className="wrap-anywhere">{account[field] || "–"}</span>
            </FactRow>
          ))}
          <FactRow label={t("account.opened")}>{time(opened_at)}</FactRow>
          <FactRow label={t("account.sent")}>{time(submitted_at)}</FactRow>
          {note && (
            <FactRow label={t("account.note")}>
              <span className="whitespace-pre-line">{note}</span>
            </FactRow>
          )}
        </dl>
      </Card>
      <Card aria-labelledby="documents" className="p-4 sm:p-5">
        <CardTitle id="documents">{t("account.documents")}</CardTitle>
        {documents.length === 0 ? (
          <p className="mt-3 text-muted">{t("account.noDocuments")}</p>
        ) : (
          <ul className="mt-3 divide-y border-y">
            {documents.map((document) => (
              <li key={document.id} className="flex items-center gap-3 py-2.5">
                <ScrollText aria-hidden className="size-4 shrink-0 text-muted" />
                <div className="min-w-0 flex-1">
                  <a
                    href={documentPath(account_id, document.id)}
                    target="_blank"
                    rel="noreferrer"
                    className="link block truncate"
                  >
                    {document.name}
                  </a>
                  <p className="text-sm text-muted">
                    {tOfForm(`documents.kinds.${document.kind as DocumentKind}`)} ·{" "}
                    {fileSizeOf(document.bytes)} · {time(document.uploaded_at)}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
