import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportProofs } from "#lib/proofs/data.ts";
import { parseProofFormat, parseProofSearch } from "#lib/proofs/search.ts";

export const GET = sellerRoute("proofs:read", (scope, request) => {
  const { searchParams } = new URL(request.url);
  return exportProofs(scope, parseProofSearch(searchParams), parseProofFormat(searchParams));
});
