import { CollectionResultsFallback } from "#components/collection/collection-results.tsx";

export default function ResultsLoading() {
  return <CollectionResultsFallback />;
}
