import { CustomerRecordFallback } from "#components/customers/customer-record.tsx";

/** Shows at once what the list already knows of the customer. */
export default function CustomerLoading() {
  return <CustomerRecordFallback />;
}
