import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { EarlierPrices } from "#components/products/earlier-prices.tsx";
import { ProductDetailPage } from "#components/products/product-record.tsx";
import { SharedLinksCard } from "#components/products/shared-links.tsx";
import { ProductSubscriptions } from "#components/subscriptions/product-subscriptions.tsx";
import { can } from "#lib/auth/permissions.ts";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { canEditCatalogue } from "#lib/products/account.ts";
import { getProduct } from "#lib/products/data.ts";
import { productQuery } from "#lib/products/queries.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("products.one");

export default async function ProductPage({ params }: { params: Promise<RecordParams> }) {
  const { scope, owner, role } = await sellerPage(params, "products:read");
  const { id } = await params;
  const [{ json, failure }, canEdit] = await Promise.all([
    prefetch(productQuery(scope, id), () => getProduct(scope, id)),
    canEditCatalogue(owner, role),
  ]);
  return (
    <HydratedQueries json={json}>
      <ProductDetailPage failure={failure} canEdit={canEdit}>
        {canEdit && <EarlierPrices />}
        {canEdit && <SharedLinksCard />}
        {can(role, "subscriptions:read") && <ProductSubscriptions />}
      </ProductDetailPage>
    </HydratedQueries>
  );
}
