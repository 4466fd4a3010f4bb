import { ProductListPage } from "#components/products/product-list.tsx";

export default function ProductsLoading() {
  return <ProductListPage failure={null} isPlaceholder />;
}
