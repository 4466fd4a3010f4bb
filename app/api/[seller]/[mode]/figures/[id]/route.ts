import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getFigure } from "#lib/figures/data.ts";
import { parseFiguresSearch } from "#lib/figures/search.ts";

export const GET = sellerRoute("figures:read", (scope, request, { id }: RecordParams) =>
  getFigure(scope, id, parseFiguresSearch(new URL(request.url).searchParams)),
);
