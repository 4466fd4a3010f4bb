import { randomUUID } from "node:crypto";
import { NewProductPage, NoCatalogueAccount } from "#components/products/new-product.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { serviceDay } from "#lib/billing/service-clock.ts";
import { checkoutLookOf } from "#lib/format/checkout-look.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { findCatalogueAccount } from "#lib/products/account.ts";

export const generateMetadata = pageTitle("products.form.new");

export default async function NewProduct({ params }: Pick<SellerPageProps, "params">) {
  const signedIn = await sellerPage(params, "products:write");
  const [account, today] = await Promise.all([
    findCatalogueAccount(signedIn.owner),
    serviceDay(signedIn),
  ]);
  if (!account) return <NoCatalogueAccount />;
  const { currency } = signedIn.seller;
  // If the look cannot be read, the form is shown without it in its preview.
  const look = await account.readProfile().then(checkoutLookOf, () => null);
  return <NewProductPage {...{ currency, today, look }} formId={randomUUID()} />;
}
