import { CustomerListPage } from "#components/customers/customer-list.tsx";

export default function CustomersLoading() {
  return <CustomerListPage failure={null} isPlaceholder />;
}
