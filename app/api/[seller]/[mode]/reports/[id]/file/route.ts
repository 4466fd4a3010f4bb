import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportReport } from "#lib/reports/data.ts";
import { parseReportSearch } from "#lib/reports/search.ts";

export const GET = sellerRoute("reports:read", (scope, request, { id }: RecordParams) =>
  exportReport(scope, id, parseReportSearch(new URL(request.url).searchParams)),
);
