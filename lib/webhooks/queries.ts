import { queryOptions } from "@tanstack/react-query";
import type { Notice } from "#contract/deliveries.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { apiPath, type Scope } from "#lib/auth/scope.ts";
import { fetchJson } from "#lib/query/fetch-json.ts";

export interface WebhookList {
  /** Newest first. */
  webhooks: Webhook[];
  /** False when the list is longer than we walk. */
  is_complete: boolean;
  /** Why there is no list: the service has none, or answers what cannot be read. Null when there is one. */
  absence: "absent" | "unreadable" | null;
  /** Why registrations were switched off; null where the service tells nothing of deliveries. */
  notices: Notice[] | null;
}

/** What a creation answers with; the secret is shown this once and kept nowhere. */
export interface RegisteredWebhook {
  webhook: Webhook;
  /** Null where the service showed none, or its answer was lost. */
  secret: string | null;
  /** False when there was one for this event and address already: nothing was created then. */
  is_new: boolean;
}

export const webhooksKey = (scope: Scope) => [scope, "webhooks"] as const;

export const webhooksQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...webhooksKey(scope), "list"] as const,
    queryFn: ({ signal }) => fetchJson<WebhookList>(apiPath(scope, "/webhooks"), signal),
  });
