export { ReceivedPageSkeleton as default } from "#components/receiver/received-page.tsx";
