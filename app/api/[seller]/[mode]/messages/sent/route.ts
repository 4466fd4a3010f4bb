import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listMessages } from "#lib/messages/sending/data.ts";
import { parseMessageSearch } from "#lib/messages/sending/search.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request) =>
  listMessages(scope, parseMessageSearch(new URL(request.url).searchParams)),
);
