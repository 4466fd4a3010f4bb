import { PaymentList } from "#components/proofs/payment-list.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listProofs } from "#lib/proofs/data.ts";
import { parseProofSearch } from "#lib/proofs/search.ts";

export const generateMetadata = pageTitle("proofs.title");

interface ProofsPageProps {
  params: ScopeParams;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ProofsPage({ params, searchParams }: ProofsPageProps) {
  const { scope } = await sellerPage(params, "proofs:read");
  const search = parseProofSearch(await searchParams);
  const page = await listProofs(scope, search);
  return <PaymentList {...{ scope, search, page }} />;
}
