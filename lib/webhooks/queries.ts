import { queryOptions } from "@tanstack/react-query";
import type { EndpointNotice } from "#contract/deliveries.ts";
import { apiPath, type Scope } from "#lib/scope.ts";
import type { EndpointList, RegisteredWebhook } from "#lib/billing/webhook-endpoints.ts";
import { fetchJson, refetchEvery } from "#lib/query/client.ts";
import type { Failing } from "./failing.ts";

export type { RegisteredWebhook };

export interface WebhookList extends EndpointList {
  /** Why the service switched events off; null if it does not say. */
  notices: EndpointNotice[] | null;
}

export const webhooksKey = (scope: Scope) => [scope, "webhooks"] as const;

export const webhooksQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...webhooksKey(scope), "list"] as const,
    queryFn: ({ signal }) => fetchJson<WebhookList>(apiPath(scope, "/webhooks"), signal),
  });

const MINUTE = 60_000;

/** Answers of the seller's own servers: a minute-old state is enough. */
export const failingQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...webhooksKey(scope), "failing"] as const,
    queryFn: ({ signal }) => fetchJson<Failing>(apiPath(scope, "/webhooks/failing"), signal),
    staleTime: MINUTE,
    refetchInterval: refetchEvery(5 * MINUTE),
  });
