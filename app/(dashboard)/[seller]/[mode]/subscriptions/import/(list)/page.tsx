import { ImportList } from "#components/imports/import-list.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listImports } from "#lib/imports/data.ts";

export const generateMetadata = pageTitle("imports.title");

export default async function ImportsPage({ params }: Pick<SellerPageProps, "params">) {
  const { scope } = await sellerPage(params, "subscriptions:create");
  return <ImportList runs={await listImports(scope)} />;
}
