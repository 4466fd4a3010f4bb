import "server-only";
import { getLocale, getTranslations } from "next-intl/server";
import type { MonthlyStatement } from "#contract/payments.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { fetchStatement, fetchStatementPdf } from "./read.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { AppError, expectedFailure } from "#lib/failure.ts";
import {
  csvResponse,
  fileResponse,
  tableFile,
  type TableColumn,
} from "#lib/files/table-file.ts";
import { endOfMonth } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Scope } from "#lib/scope.ts";
import { accountName, type StatementPage } from "./rules.ts";
import type { STATEMENT_FORMATS, StatementSearch } from "./search.ts";

const SHOWN = 100;

/** The statement of the chosen month, else of the current one. */
export async function getStatement(
  scope: Scope,
  { month: chosen, after }: StatementSearch,
): Promise<StatementPage> {
  const signedIn = await requireSeller(scope, "reports:read");
  const { billing } = signedIn;
  const newest = await newestMonth(signedIn);
  const month = chosen ?? newest;
  const read = fetchStatement(billing, { month, after, page_size: SHOWN });
  const statement = await read.catch(expectedFailure);
  return { month, newest, statement };
}

/** The current month by the service's clock, YYYY-MM. */
const newestMonth = async ({ scope, billing, seller, now }: SignedIn) =>
  dayInZone(await serviceNow({ scope, billing, now }), seller.time_zone).slice(0, 7);

interface AskedFile {
  month: string | null;
  format: (typeof STATEMENT_FORMATS)[number];
}

/** A month's statement as a file; the export is written to the audit log first. */
export async function exportStatement(
  scope: Scope,
  { month: chosen, format }: AskedFile,
): Promise<Response> {
  const signedIn = await requireSeller(scope, "payments:export");
  const { billing, owner, seller } = signedIn;
  const month = chosen ?? (await newestMonth(signedIn));
  const first =
    format === "csv" ? await fetchStatement(billing, { month, after: null }) : undefined;
  if (first === null) throw new AppError({ kind: "not_found" });
  const pdf =
    format === "pdf"
      ? await fetchStatementPdf(billing, { month, language: await getLocale() })
      : null;
  await auditExport(signedIn, {
    action: "proofs.export",
    detail: { format, from: `${month}-01`, to: endOfMonth(`${month}-01`) },
  });
  const name = `duebook-statement-${owner.mode}-${month}.${format}`;
  if (pdf)
    return fileResponse(
      name,
      "application/pdf",
      new Blob([Buffer.from(pdf.content, "base64")]).stream(),
    );
  const t = await getTranslations("statement");
  const rows = csvRows(
    first as MonthlyStatement,
    (after) => fetchStatement(billing, { month, after }),
    t,
  );
  const body = tableFile({
    columns: columnsOf(t),
    rows,
    format: "csv",
    time_zone: seller.time_zone,
  });
  return csvResponse(name, body);
}

type Texts = Translate<"statement">;
type Entry = MonthlyStatement["entries"][number];
type Line = Pick<
  Entry["lines"][number],
  "account" | "label" | "provider" | "currency" | "debit" | "credit"
>;
type Row = Line &
  Partial<Pick<Entry, "id" | "booked_at" | "full_name" | "subscription_id">> & {
    kind: string;
    reference?: string | null;
    payment_id?: string | null;
  };

const ZERO = "0.00";

/** A balance as a debit or credit, so that the file's debits and credits add up. */
const asBalance = (balance: string) =>
  balance.startsWith("-")
    ? { debit: ZERO, credit: balance.slice(1) }
    : { debit: balance, credit: ZERO };

/** Balances before, lines, and balances after with exchanged sides, so that debits equal credits. */
async function* csvRows(
  first: MonthlyStatement,
  more: (after: string) => Promise<MonthlyStatement | null>,
  t: Texts,
): AsyncGenerator<Row[]> {
  const isNotZero = (balance: string) => balance !== ZERO;
  yield first.accounts
    .filter(({ opening }) => isNotZero(opening))
    .map((row) => ({ ...row, ...asBalance(row.opening), kind: t("file.opening") }));
  for (let page: MonthlyStatement | null = first; page;) {
    yield page.entries.flatMap(({ lines, kind, ...entry }) =>
      lines.map((line) => ({
        ...entry,
        ...line,
        kind: t(`kinds.${kind}` as Parameters<Texts>[0]),
      })),
    );
    const last: number | undefined = page.entries.at(-1)?.id;
    page = page.next === null || last === undefined ? null : await more(String(last));
  }
  yield first.accounts
    .filter(({ closing }) => isNotZero(closing))
    .map((row) => {
      const { debit, credit } = asBalance(row.closing);
      return { ...row, debit: credit, credit: debit, kind: t("file.closing") };
    });
}

const columnsOf = (t: Texts): TableColumn<Row>[] => [
  { heading: t("file.entry"), read: ({ id }) => (id === undefined ? null : String(id)) },
  { heading: t("file.when"), kind: "moment", read: ({ booked_at }) => booked_at ?? null },
  { heading: t("file.kind"), read: ({ kind }) => kind },
  { heading: t("file.account"), read: (row) => accountName(t, row) },
  { heading: t("file.currency"), read: ({ currency }) => currency },
  { heading: t("file.debit"), kind: "number", read: ({ debit }) => debit },
  { heading: t("file.credit"), kind: "number", read: ({ credit }) => credit },
  { heading: t("file.buyer"), read: ({ full_name }) => full_name ?? null },
  { heading: t("file.reference"), read: ({ reference }) => reference ?? null },
  { heading: t("file.payment"), read: ({ payment_id }) => payment_id ?? null },
  { heading: t("file.subscription"), read: ({ subscription_id }) => subscription_id ?? null },
];
