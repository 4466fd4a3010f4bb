import { CollectionDeskFallback } from "#components/collection/queue/collection-desk.tsx";

export default function CollectionLoading() {
  return <CollectionDeskFallback />;
}
