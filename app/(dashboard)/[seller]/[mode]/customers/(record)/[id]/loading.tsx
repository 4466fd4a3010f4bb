import { CustomerDetailPage } from "#components/customers/customer-record.tsx";

export default function CustomerLoading() {
  return (
    <CustomerDetailPage failure={null} isPlaceholder>
      <span className="skeleton h-64 rounded-md" />
    </CustomerDetailPage>
  );
}
