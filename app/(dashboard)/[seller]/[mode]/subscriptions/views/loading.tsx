import { ViewList } from "#components/subscriptions/views/view-list.tsx";

/** All of it is here already. */
export default function ViewsLoading() {
  return <ViewList isPlaceholder />;
}
