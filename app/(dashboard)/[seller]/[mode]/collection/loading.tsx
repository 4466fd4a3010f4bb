export { CollectionSkeleton as default } from "#components/collection/queue/collection-page.tsx";
