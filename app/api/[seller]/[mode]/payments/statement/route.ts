import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportStatement } from "#lib/payments/statement/data.ts";
import { parseStatementFile } from "#lib/payments/statement/search.ts";

export const GET = sellerRoute("payments:export", (scope, request) =>
  exportStatement(scope, parseStatementFile(new URL(request.url).searchParams)),
);
