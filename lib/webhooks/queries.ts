import { queryOptions } from "@tanstack/react-query";
import type { EndpointNotice } from "#contract/deliveries.ts";
import type { EventKind } from "#contract/names.ts";
import type { Scope } from "#lib/scope.ts";
import type { EndpointList, RegisteredWebhook } from "#lib/billing/webhook-endpoints.ts";
import { refetchEvery } from "#lib/query/client.ts";
import { readRoute } from "#lib/query/fetch-json.ts";

export type { RegisteredWebhook };

export interface WebhookList extends EndpointList {
  /** Why the service switched events off; null if it does not say. */
  notices: EndpointNotice[] | null;
  /** The kinds of events that an endpoint can be registered for. */
  events: EventKind[];
}

export const webhooksKey = (scope: Scope) => [scope, "webhooks"] as const;

export const webhooksQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...webhooksKey(scope), "list"] as const,
    queryFn: readRoute<WebhookList>(scope, "/webhooks"),
  });

export interface FailingEndpoint {
  endpoint_url: string;
  /** Failed deliveries that will be tried again. */
  retrying: number;
  /** Deliveries that were given up in the last days; see GIVEN_UP_REPORT_DAYS. */
  given_up: number;
  /** Whether the service switched one of its events off. */
  is_off: boolean;
}

export interface FailingWebhooks {
  endpoints: FailingEndpoint[];
  /** How many of the newest deliveries were counted; null if all were. */
  counted: number | null;
}

const MINUTE = 60_000;

/** The endpoints whose deliveries fail. An answer may be a minute old. */
export const failingQuery = (scope: Scope) =>
  queryOptions({
    queryKey: [...webhooksKey(scope), "failing"] as const,
    queryFn: readRoute<FailingWebhooks>(scope, "/webhooks/failing"),
    staleTime: MINUTE,
    refetchInterval: refetchEvery(5 * MINUTE),
  });
