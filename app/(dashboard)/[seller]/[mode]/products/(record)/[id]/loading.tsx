import { ProductDetailPage } from "#components/products/product-record.tsx";

export default function ProductLoading() {
  return <ProductDetailPage failure={null} isPlaceholder />;
}
