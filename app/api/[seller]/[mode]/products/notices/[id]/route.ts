import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getMoveNotices } from "#lib/products/move-notices.ts";

export const GET = sellerRoute("products:write", (scope, request, { id }: RecordParams) =>
  getMoveNotices(scope, id, new URL(request.url).searchParams.get("pbp_id") ?? ""),
);
