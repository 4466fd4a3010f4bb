import "server-only";
import { getTranslations } from "next-intl/server";
import {
  MAX_BILL_PAGE,
  ReceivedAccountBillPage,
  ReceivedBillSettings,
  type AccountBillPage,
  type BillSettings,
} from "#contract/payments.ts";
import { ReceivedDocumentContent } from "#contract/verification.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { nullIfUnsupported, type BillingClient } from "#lib/billing/client.ts";
import { ACCOUNT_ROOT } from "#lib/billing/discovery.ts";
import { pathSegment } from "#lib/billing/transport.ts";
import { AppError, invalidInput } from "#lib/failure.ts";
import { fileResponse, tableResponse } from "#lib/files/table-file.ts";
import { endOfMonth } from "#lib/format/calendar.ts";
import { fiscalYearOf } from "./fiscal-year.ts";
import type { Scope } from "#lib/scope.ts";
import { salesBookFile } from "./sales-book.ts";
import type { BookSpan } from "#lib/payments/statement/search.ts";

/** A page of bills; null if the service issues none. */
export const fetchBills = (
  billing: BillingClient,
  query: Record<string, string>,
  page_size = MAX_BILL_PAGE,
): Promise<AccountBillPage | null> =>
  nullIfUnsupported(billing, () =>
    billing.extension("account").read({
      path: `${ACCOUNT_ROOT}/bills`,
      query: { ...query, page_size },
      answer: ReceivedAccountBillPage,
    }),
  );

/**
 * The bills of a page and of all that follow it.
 * @throws AppError `not_found` if a following page is missing: a file that just ended would look
 * complete
 */
async function* billsFrom(
  first: AccountBillPage | null,
  billing: BillingClient,
  query: Record<string, string>,
): AsyncGenerator<AccountBillPage["results"]> {
  for (let page = first; page;) {
    yield page.results;
    const last: string | undefined = page.results.at(-1)?.id;
    if (page.next === null || last === undefined) return;
    page = await fetchBills(billing, { ...query, after: last });
  }
  throw new AppError({ kind: "not_found" });
}

/**
 * A bill as a PDF.
 * @throws AppError `not_found` for an unknown id; `validation` for a malformed one
 */
export async function getBill(scope: Scope, billId: string): Promise<Response> {
  const { billing } = await requireSeller(scope, "payments:read");
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(billId)) throw invalidInput();
  const { name, content } = await billing.extension("account").read({
    path: `${ACCOUNT_ROOT}/bills/${pathSegment(billId)}/pdf`,
    answer: ReceivedDocumentContent,
  });
  const body = new Blob([Buffer.from(content, "base64")]).stream();
  return fileResponse(name, "application/pdf", body);
}

interface AskedBook {
  /** YYYY-MM. */
  month: string;
  span: BookSpan;
  /** The fiscal year, such as 2083/84; null for the one in which the month ends. */
  year: string | null;
  format: "csv" | "xlsx";
}

/** The sales book of a month or a fiscal year, as a file. */
export async function exportSalesBook(
  scope: Scope,
  { month, span, year, format }: AskedBook,
): Promise<Response> {
  const signedIn = await requireSeller(scope, "payments:export");
  const { billing, owner, seller } = signedIn;
  const [from, until] = [`${month}-01`, endOfMonth(`${month}-01`)];
  const fiscal_year =
    span === "year" ? (year ?? fiscalYearOf(await fetchFiscalYearKind(billing), until)) : null;
  const query = fiscal_year === null ? { from, until } : { fiscal_year };
  const first = await fetchBills(billing, query);
  if (first === null) throw new AppError({ kind: "not_found" });
  await auditExport(signedIn, {
    action: "proofs.export",
    detail: { format, ...(fiscal_year === null ? { from, to: until } : { fiscal_year }) },
  });
  const t = await getTranslations("statement");
  const time = (fiscal_year ?? month).replace("/", "-");
  return tableResponse(
    `duebook-sales-book-${owner.mode}-${time}`,
    format,
    salesBookFile(billsFrom(first, billing, query), { t, format, time_zone: seller.time_zone }),
  );
}

/** Whether bills are numbered by Nepal's fiscal year or by the calendar year. */
export async function fetchFiscalYearKind(
  billing: BillingClient,
): Promise<BillSettings["fiscal_year"]> {
  const settings = await billing.extension("account").read({
    path: `${ACCOUNT_ROOT}/bills/settings`,
    answer: ReceivedBillSettings,
  });
  return settings.fiscal_year;
}
