import { ReceivedPageSkeleton } from "#components/receiver/received-page.tsx";

export default function ReceivedLoading() {
  return <ReceivedPageSkeleton />;
}
