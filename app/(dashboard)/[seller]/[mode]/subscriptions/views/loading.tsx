import { ViewList } from "#components/subscriptions/views/view-list.tsx";

/** The page itself: the layout has already loaded the views. */
export default function ViewsLoading() {
  return <ViewList isPlaceholder />;
}
