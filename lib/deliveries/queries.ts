import { queryOptions } from "@tanstack/react-query";
import type { Delivery, DeliveryRow } from "#contract/deliveries.ts";
import type { Scope } from "#lib/scope.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import { deliveryQueryString, type DeliverySearch } from "./search.ts";

export interface DeliveryList {
  /** False if the service does not list deliveries. */
  is_offered: boolean;
  /** The deliveries, newest first. */
  deliveries: DeliveryRow[];
  has_older: boolean;
}

export const deliveriesKey = (scope: Scope) => [scope, "deliveries"] as const;

export const deliveriesQuery = (scope: Scope, search: DeliverySearch) =>
  queryOptions({
    queryKey: [...deliveriesKey(scope), "list", search] as const,
    queryFn: readRoute<DeliveryList>(scope, `/deliveries${deliveryQueryString(search)}`),
  });

export const deliveryQuery = (scope: Scope, id: string) =>
  queryOptions({
    queryKey: [...deliveriesKey(scope), "record", id] as const,
    queryFn: readRoute<Delivery>(scope, `/deliveries/${encodeURIComponent(id)}`),
  });
