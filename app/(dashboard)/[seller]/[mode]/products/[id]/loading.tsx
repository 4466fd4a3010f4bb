import { ProductRecordFallback } from "#components/products/product-record.tsx";

/** Shows at once what the list already knows of the product. */
export default function ProductLoading() {
  return <ProductRecordFallback />;
}
