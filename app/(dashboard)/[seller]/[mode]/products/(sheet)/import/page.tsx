import { NoCatalogueAccount } from "#components/products/new-product.tsx";
import { SheetPage } from "#components/products/sheet/sheet-page.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { findCatalogueAccount } from "#lib/products/account.ts";

export const generateMetadata = pageTitle("sheet.title");

export default async function ProductSheet({ params }: Pick<SellerPageProps, "params">) {
  const { owner } = await sellerPage(params, "products:write");
  return (await findCatalogueAccount(owner)) ? <SheetPage /> : <NoCatalogueAccount />;
}
