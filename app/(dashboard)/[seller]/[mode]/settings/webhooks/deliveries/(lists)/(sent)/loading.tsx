export { DeliveryListSkeleton as default } from "#components/deliveries/delivery-list.tsx";
