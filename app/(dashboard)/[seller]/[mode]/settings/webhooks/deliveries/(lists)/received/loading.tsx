import { ReceivedPageFallback } from "#components/receiver/received-page.tsx";

export default function ReceivedLoading() {
  return <ReceivedPageFallback />;
}
