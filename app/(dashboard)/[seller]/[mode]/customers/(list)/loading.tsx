import { CustomerList } from "#components/customers/customer-list.tsx";

export default function CustomersLoading() {
  return <CustomerList failure={null} isPlaceholder />;
}
