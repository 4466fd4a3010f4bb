import { CustomerRecord } from "#components/customers/customer-record.tsx";

export default function CustomerLoading() {
  return (
    <CustomerRecord failure={null} isPlaceholder>
      <span className="skeleton h-64 rounded-md" />
    </CustomerRecord>
  );
}
