import { useQueryClient } from "@tanstack/react-query";
import { useScopedAction } from "#components/forms/use-action.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import type { Webhook } from "#contract/webhooks.ts";
import { createWebhookAction, updateWebhookAction } from "#lib/webhooks/actions.ts";
import { webhooksKey, webhooksQuery } from "#lib/webhooks/queries.ts";

/** Changes webhooks; the list shows each change when its response arrives, not earlier. */
export function useWebhookWrites() {
  const scope = useScope();
  const queryClient = useQueryClient();
  const create = useScopedAction(createWebhookAction);
  const update = useScopedAction(updateWebhookAction);

  function keep(webhook: Webhook) {
    // An incomplete response is not shown; the list is read again anyway.
    if (!webhook.event || !webhook.endpoint_url) return;
    queryClient.setQueryData(webhooksQuery(scope).queryKey, (list) => {
      if (!list) return list;
      const others = list.webhooks.filter(({ id }) => id !== webhook.id);
      return { ...list, webhooks: [webhook, ...others] };
    });
  }

  const refresh = () => queryClient.invalidateQueries({ queryKey: webhooksKey(scope) });

  return {
    refresh,
    /** Resolves after the list was read again: an answer may be lost or cover one record only. */
    settled: async <Value,>(call: Promise<Value>): Promise<Value> => {
      try {
        return await call;
      } finally {
        await refresh();
      }
    },
    create: async (input: Parameters<typeof create>[0]) => {
      const result = await create(input);
      if (result.ok) keep(result.value.webhook);
      return result;
    },
    update: async (input: Parameters<typeof update>[0]) => {
      const result = await update(input);
      if (result.ok) keep(result.value);
      return result;
    },
  };
}
