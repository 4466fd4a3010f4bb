import { getLocale, getTranslations } from "next-intl/server";
import { AuditLog } from "#components/audit-log/audit-log.tsx";
import { listAuditEntries } from "#lib/audit-log/data.ts";
import { parseAuditSearch } from "#lib/audit-log/search.ts";
import { makeFormat } from "#lib/format/format.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";

export const generateMetadata = pageTitle("audit.title");

export default async function AuditLogPage({ params, searchParams }: SellerPageProps) {
  const { scope, seller, now } = await sellerPage(params, "audit:read");
  const search = parseAuditSearch(await searchParams);
  const page = await listAuditEntries(scope, search);
  const t = await getTranslations("format");
  const { date } = makeFormat(t, { ...seller, now, language: await getLocale() });
  return <AuditLog {...{ scope, search, page, date }} time_zone={seller.time_zone} />;
}
