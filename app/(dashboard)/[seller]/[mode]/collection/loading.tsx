import { CollectionDeskFallback } from "#components/collection/collection-desk.tsx";

export default function CollectionLoading() {
  return <CollectionDeskFallback />;
}
