import { Doctor } from "#components/deliveries/doctor.tsx";
import { VerifySnippets } from "#components/webhooks/verify-snippets.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { parseDoctorSearch } from "#lib/deliveries/doctor/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("doctor.title");

interface DoctorPageProps {
  params: ScopeParams;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function DoctorPage({ params, searchParams }: DoctorPageProps) {
  await sellerPage(params, "webhooks:read");
  const search = parseDoctorSearch(await searchParams);
  return <Doctor key={JSON.stringify(search)} search={search} snippets={<VerifySnippets />} />;
}
