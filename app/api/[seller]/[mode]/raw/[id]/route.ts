import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { RAW_KINDS } from "#lib/connection/queries.ts";
import { getRawRecord } from "#lib/connection/raw-record.ts";
import { invalidInput } from "#lib/failure.ts";

export const GET = sellerRoute("webhooks:read", (scope, request, { id }: RecordParams) => {
  const { searchParams } = new URL(request.url);
  const kind = RAW_KINDS.find((known) => known === searchParams.get("kind"));
  if (!kind) throw invalidInput();
  const subscription_id = searchParams.get("subscription") ?? "";
  return getRawRecord(scope, { kind, id, subscription_id });
});
