import { DeliveryListSkeleton } from "#components/deliveries/delivery-list.tsx";

export default function DeliveriesLoading() {
  return <DeliveryListSkeleton />;
}
