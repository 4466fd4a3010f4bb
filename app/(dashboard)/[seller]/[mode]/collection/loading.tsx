import { CollectionSkeleton } from "#components/collection/queue/collection-page.tsx";

export default function CollectionLoading() {
  return <CollectionSkeleton />;
}
