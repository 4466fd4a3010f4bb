import "server-only";
import {
  MAX_STATEMENT_PAGE,
  ReceivedStatement,
  type MonthlyStatement,
} from "#contract/payments.ts";
import { ReceivedDocumentContent, type DocumentContent } from "#contract/verification.ts";
import { nullIfUnsupported, type BillingClient } from "#lib/billing/client.ts";
import { ACCOUNT_ROOT } from "#lib/billing/discovery.ts";
import { pathSegment } from "#lib/billing/transport.ts";

const PDF_TIMEOUT = 60_000;

interface StatementPage {
  /** YYYY-MM in the account's time zone. */
  month: string;
  /** The entry after which the page begins; null for the first page. */
  after: string | null;
  page_size?: number;
}

/** A page of a month of the service's ledger; null if it keeps none. */
export const fetchStatement = (
  billing: BillingClient,
  { month, after, page_size = MAX_STATEMENT_PAGE }: StatementPage,
): Promise<MonthlyStatement | null> =>
  nullIfUnsupported(billing, () =>
    billing.extension("account").read({
      path: `${ACCOUNT_ROOT}/statements/${pathSegment(month)}`,
      query: { page_size, ...(after !== null && { after }) },
      answer: ReceivedStatement,
    }),
  );

/** @throws AppError `not_found` if the service makes no PDF statements */
export const fetchStatementPdf = (
  billing: BillingClient,
  { month, language }: { month: string; language: string },
): Promise<DocumentContent> =>
  billing.extension("account", { readTimeout: PDF_TIMEOUT }).read({
    path: `${ACCOUNT_ROOT}/statements/${pathSegment(month)}/pdf`,
    query: { language },
    answer: ReceivedDocumentContent,
  });
