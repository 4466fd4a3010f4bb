import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { ProductListPage } from "#components/products/product-list.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { canEditCatalogue } from "#lib/products/account.ts";
import { listProducts } from "#lib/products/data.ts";
import { productsQuery } from "#lib/products/queries.ts";
import { parseProductSearch } from "#lib/products/search.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("products.title");

export default async function ProductsPage({ params, searchParams }: SellerPageProps) {
  const { scope, owner, role } = await sellerPage(params, "products:read");
  const search = parseProductSearch(await searchParams);
  const [{ json, failure }, canAdd] = await Promise.all([
    prefetch(productsQuery(scope, search), () => listProducts(scope, search)),
    canEditCatalogue(owner, role),
  ]);
  return (
    <HydratedQueries json={json}>
      <ProductListPage failure={failure} canAdd={canAdd} />
    </HydratedQueries>
  );
}
