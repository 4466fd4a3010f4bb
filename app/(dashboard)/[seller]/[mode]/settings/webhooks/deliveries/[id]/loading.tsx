export { DeliveryRecordSkeleton as default } from "#components/deliveries/delivery-record.tsx";
