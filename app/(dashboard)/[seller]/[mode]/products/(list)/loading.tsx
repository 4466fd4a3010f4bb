import { ProductListFallback } from "#components/products/product-list.tsx";

export default function ProductsLoading() {
  return <ProductListFallback />;
}
