import { DeliveryRecordSkeleton } from "#components/deliveries/delivery-record.tsx";

export default function DeliveryLoading() {
  return <DeliveryRecordSkeleton />;
}
