import { DeliveryRecordFallback } from "#components/deliveries/delivery-record.tsx";

export default function DeliveryLoading() {
  return <DeliveryRecordFallback />;
}
