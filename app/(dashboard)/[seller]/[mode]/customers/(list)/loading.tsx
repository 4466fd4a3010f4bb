import { CustomerListFallback } from "#components/customers/customer-list.tsx";

export default function CustomersLoading() {
  return <CustomerListFallback />;
}
