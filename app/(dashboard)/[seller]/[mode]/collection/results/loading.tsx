import { CollectionResultsFallback } from "#components/collection/results/collection-results.tsx";

export default function ResultsLoading() {
  return <CollectionResultsFallback />;
}
