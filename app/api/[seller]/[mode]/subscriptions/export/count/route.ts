import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { previewExport } from "#lib/subscriptions/export/data.ts";
import { readSearchText } from "#lib/list-answer.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request) =>
  previewExport(
    scope,
    parseSubscriptionSearch(new URL(request.url).searchParams),
    readSearchText(request),
  ),
);
