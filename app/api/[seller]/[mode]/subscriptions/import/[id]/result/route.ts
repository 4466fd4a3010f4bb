import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { importResultFile } from "#lib/imports/run-file.ts";

export const GET = sellerRoute("subscriptions:export", (scope, request, { id }: RecordParams) =>
  importResultFile(scope, request, id),
);
