import { CustomerDetailPage } from "#components/customers/customer-record.tsx";

export default function CustomerOfLoading() {
  return (
    <CustomerDetailPage failure={null} isPlaceholder>
      <span className="skeleton h-64 rounded-md" />
    </CustomerDetailPage>
  );
}
