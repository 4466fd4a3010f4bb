import { getLocale, getTranslations } from "next-intl/server";
import { Record } from "#components/audit/record.tsx";
import { listActs } from "#lib/audit/data.ts";
import { parseRecordSearch } from "#lib/audit/search.ts";
import { makeFormat } from "#lib/format/format.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";

export const generateMetadata = pageTitle("audit.title");

interface RecordPageProps {
  params: ScopeParams;
  searchParams: Promise<{ [name: string]: string | string[] | undefined }>;
}

export default async function RecordPage({ params, searchParams }: RecordPageProps) {
  const { scope, seller, now } = await sellerPage(params, "audit:read");
  const search = parseRecordSearch(await searchParams);
  const page = await listActs(scope, search);
  const t = await getTranslations("format");
  const { date } = makeFormat(t, { ...seller, now, language: await getLocale() });
  return <Record {...{ scope, search, page, date }} time_zone={seller.time_zone} />;
}
