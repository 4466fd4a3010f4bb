import { getLocale, getTranslations } from "next-intl/server";
import { StatementView } from "#components/payments/statement.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { can } from "#lib/auth/permissions.ts";
import { makeFormat } from "#lib/format/format.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getStatement } from "#lib/payments/statement/data.ts";
import { parseStatementSearch } from "#lib/payments/statement/search.ts";

export const generateMetadata = pageTitle("statement.title");

export default async function StatementPage({ params, searchParams }: SellerPageProps) {
  const { scope, role, seller, now } = await sellerPage(params, "reports:read");
  const search = parseStatementSearch(await searchParams);
  const page = await getStatement(scope, search);
  const format = makeFormat(await getTranslations("format"), {
    ...seller,
    now,
    language: await getLocale(),
  });
  return (
    <StatementView
      {...{ scope, search, page, format }}
      mayExport={can(role, "payments:export")}
    />
  );
}
