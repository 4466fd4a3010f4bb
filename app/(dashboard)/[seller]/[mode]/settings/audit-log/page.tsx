import { getLocale, getTranslations } from "next-intl/server";
import { AuditLog, type AuditLogPage } from "#components/audit-log/audit-log.tsx";
import { auditRowOf, listAuditEntries } from "#lib/audit-log/data.ts";
import { actionLabel, KNOWN_ACTIONS } from "#lib/audit-log/rules.ts";
import { parseAuditSearch } from "#lib/audit-log/search.ts";
import { makeFormat } from "#lib/format/format.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { toPropJson } from "#lib/query/fetch-json.ts";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";

export const generateMetadata = pageTitle("audit.title");

export default async function AuditLogPage({ params, searchParams }: SellerPageProps) {
  const { scope, seller, now } = await sellerPage(params, "audit:read");
  const search = parseAuditSearch(await searchParams);
  const { acts, next, people } = await listAuditEntries(scope, search);
  const t = await getTranslations("audit");
  const tOfFormat = await getTranslations("format");
  const { date } = makeFormat(tOfFormat, { ...seller, now, language: await getLocale() });
  const page: AuditLogPage = {
    search,
    rows: acts.map((act) => auditRowOf(t, act, date)),
    next,
    people,
    actions: KNOWN_ACTIONS.map((action) => [action, actionLabel(t, action)]),
  };
  return <AuditLog json={toPropJson(page)} />;
}
