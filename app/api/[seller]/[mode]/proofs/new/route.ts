import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getNewProofs } from "#lib/proofs/data.ts";
import { parseNewest, parseProofSearch } from "#lib/proofs/search.ts";

export const GET = sellerRoute("proofs:read", (scope, request) => {
  const { searchParams } = new URL(request.url);
  return getNewProofs(scope, parseProofSearch(searchParams), parseNewest(searchParams));
});
