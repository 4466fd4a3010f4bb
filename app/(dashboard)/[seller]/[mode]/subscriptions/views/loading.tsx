import { ViewList } from "#components/subscriptions/views/view-list.tsx";

/** Shows the page itself, because the layout has already loaded the views. */
export default function ViewsLoading() {
  return <ViewList isPlaceholder />;
}
