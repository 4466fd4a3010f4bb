import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useScope } from "#components/context/seller-context.tsx";
import { useStepRunner } from "#components/forms/step-runner.ts";
import type { Scope } from "#lib/scope.ts";
import { stepBulkRunAction } from "#lib/subscriptions/bulk/actions.ts";
import { bulkRunQuery, type BulkItem } from "#lib/subscriptions/bulk/queries.ts";
import { subscriptionsKey } from "#lib/subscriptions/queries.ts";

export function useBulkRunner(id: string) {
  const scope = useScope();
  const queryClient = useQueryClient();
  return useStepRunner({
    id,
    takeStep: () => stepBulkRunAction(scope, { id }),
    tell: ({ item }) => item && patchItem(queryClient, scope, id, item),
    settle: () => void queryClient.invalidateQueries({ queryKey: subscriptionsKey(scope) }),
  });
}

function patchItem(queryClient: QueryClient, scope: Scope, id: string, item: BulkItem) {
  const { queryKey } = bulkRunQuery(scope, id);
  // An older response must not replace this one.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(
    queryKey,
    (view) =>
      view && {
        ...view,
        items: view.items.map((one) =>
          one.subscription_id === item.subscription_id ? item : one,
        ),
      },
  );
}
