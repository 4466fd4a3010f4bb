import { CustomerRecordFallback } from "#components/customers/customer-record.tsx";

export default function CustomerOfLoading() {
  return <CustomerRecordFallback />;
}
