import type { FastifyInstance } from "fastify";
import {
  LedgerBalances,
  MonthlyStatement,
  StatementMonth,
  StatementPdfQuery,
  StatementQuery,
} from "#contract/payments.ts";
import { DocumentContent } from "#contract/verification.ts";
import type { ServiceContext } from "../context.ts";
import { transaction } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFoundError } from "../http/errors.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { filteredRoute } from "../http/read.ts";
import { sellerNow, type Seller } from "../sellers/store.ts";
import { statementPdf } from "./statement-pdf.ts";
import { readStatement } from "./statement.ts";
import { selectBalances } from "./store.ts";

/** The ledger of a seller: balances and monthly statements (ADR 0181). */
export function ledgerRoutes(api: FastifyInstance, { pool, publicUrl, now }: ServiceContext) {
  const read = (seller: Seller, query: StatementQuery & { month: string }) =>
    transaction(pool, async (database) => {
      await database.query("set transaction isolation level repeatable read, read only");
      return readStatement(database, seller, { ...query, now: sellerNow(seller, now()) });
    });

  api.get(
    "/balances/",
    withRouteDoc({
      summary: "Get the balances of the ledger",
      description:
        "The balance of each account in each currency; the money at each provider is a separate account. Debits are positive; the balances of a currency add up to zero.",
      answer: LedgerBalances,
    }),
    async (request): Promise<LedgerBalances> => ({
      balances: await selectBalances(pool, sellerOf(request).seller_id),
    }),
  );

  api.get(
    "/statements/:month/",
    filteredRoute({
      summary: "Get the statement of a month",
      description:
        "What the ledger booked in that month of the account's time zone, with the balances before and after it. `next` is the URL of the next page of entries; on every page, balances and totals cover the whole month.",
      filters: StatementQuery,
      meanings: {
        after: "Only entries after the one with this id",
        page_size: "Entries per page",
      },
      answer: MonthlyStatement,
      refusals: {
        404: "There is no such month",
      },
      read: async (page, request) => {
        const month = monthOf(request.params);
        const { statement, last } = await read(sellerOf(request), { ...page, month });
        const url = `${publicUrl}/account/v1/statements/${month}/`;
        const following = new URLSearchParams({ ...request.query, after: String(last) });
        return { ...statement, next: last === null ? null : `${url}?${following.toString()}` };
      },
    }),
  );

  api.get(
    "/statements/:month/pdf/",
    filteredRoute({
      summary: "Get the statement of a month as a PDF",
      description: `Balances, totals and entries, as PDF/A with embedded fonts; without the entries if there are more than ${MOST_IN_PDF}.`,
      filters: StatementPdfQuery,
      meanings: { language: "The language of its texts" },
      answer: DocumentContent,
      refusals: {
        404: "There is no such month",
      },
      read: async ({ language }, request) => {
        const month = monthOf(request.params);
        const seller = sellerOf(request);
        const query = { month, after: undefined, page_size: MOST_IN_PDF };
        const { statement, last } = await read(seller, query);
        const entries = last === null ? statement.entries : null;
        const pdf = await statementPdf(statement, entries, {
          language,
          business: seller.name,
          at: sellerNow(seller, now()),
        });
        return {
          name: `statement-${month}.pdf`,
          media_type: "application/pdf",
          content: pdf.toString("base64"),
        };
      },
    }),
  );
}

/** Entries that a PDF lists at most; each takes some milliseconds. */
const MOST_IN_PDF = 2_000;

function monthOf(params: Record<string, string>): string {
  const month = StatementMonth.safeParse(params.month);
  if (!month.success) throw notFoundError();
  return month.data;
}
