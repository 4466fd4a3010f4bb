import { ViewListFallback } from "#components/subscriptions/view-list.tsx";

/** All of it is here already. */
export default function ViewsLoading() {
  return <ViewListFallback />;
}
