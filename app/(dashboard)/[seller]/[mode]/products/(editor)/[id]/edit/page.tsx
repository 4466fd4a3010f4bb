import { EditProductPage } from "#components/products/edit-product.tsx";
import { NoCatalogueAccount } from "#components/products/new-product.tsx";
import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { sellerPage, type RecordParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { findCatalogueAccount } from "#lib/products/account.ts";
import { getEditedProduct } from "#lib/products/data.ts";
import { editedProductQuery } from "#lib/products/queries.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("products.form.edit");

export default async function EditProduct({ params }: { params: Promise<RecordParams> }) {
  const { scope, owner } = await sellerPage(params, "products:write");
  const { id } = await params;
  if (!(await findCatalogueAccount(owner))) return <NoCatalogueAccount />;
  const { json, failure } = await prefetch(editedProductQuery(scope, id), () =>
    getEditedProduct(scope, id),
  );
  return (
    <HydratedQueries json={json}>
      <EditProductPage failure={failure} />
    </HydratedQueries>
  );
}
