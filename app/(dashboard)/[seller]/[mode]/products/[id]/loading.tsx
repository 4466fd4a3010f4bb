import { ProductRecord } from "#components/products/product-record.tsx";

export default function ProductLoading() {
  return <ProductRecord failure={null} isPlaceholder />;
}
