import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportSalesBook } from "#lib/payments/bills/files.ts";
import { exportStatement } from "#lib/payments/statement/data.ts";
import { parseSalesBook, parseStatementFile } from "#lib/payments/statement/search.ts";

export const GET = sellerRoute("payments:export", (scope, request) => {
  const { searchParams } = new URL(request.url);
  const book = parseSalesBook(searchParams);
  return book
    ? exportSalesBook(scope, book)
    : exportStatement(scope, parseStatementFile(searchParams));
});
