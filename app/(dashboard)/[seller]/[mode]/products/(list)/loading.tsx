import { ProductList } from "#components/products/product-list.tsx";

export default function ProductsLoading() {
  return <ProductList failure={null} isPlaceholder />;
}
