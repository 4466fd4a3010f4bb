import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { readSearchText } from "#lib/list-answer.ts";
import { searchRecords } from "#lib/subscriptions/data.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  searchRecords(scope, readSearchText(request)),
);
