import "server-only";
import type { Delivery } from "#contract/deliveries.ts";
import { DEFAULT_PAGE_SIZE } from "#contract/names.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { DeliveryClient, type DeliveryFilter } from "#lib/billing/delivery-client.ts";
import { addDays } from "#lib/format/calendar.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import type { DeliveryList } from "./queries.ts";
import type { DeliverySearch } from "./search.ts";

const NOT_OFFERED: DeliveryList = { is_offered: false, deliveries: [], has_older: false };

export async function listDeliveries(
  scope: Scope,
  search: DeliverySearch,
): Promise<DeliveryList> {
  const { billing, seller } = await requireSeller(scope, "webhooks:read");
  const filter = deliveryFilter(search, seller.time_zone);
  const page = await new DeliveryClient(billing).listDeliveries(filter);
  if (page === null) return NOT_OFFERED;
  return { is_offered: true, deliveries: page.results, has_older: page.next !== null };
}

export function deliveryFilter(search: DeliverySearch, timeZone: string): DeliveryFilter {
  const { state, event, webhook, subscription, before } = search;
  return {
    state,
    // Paused endpoints skip every event: their deliveries show only on request.
    skipped: state === null ? "false" : null,
    event,
    before,
    webhook_id: webhook,
    subscription_id: subscription,
    ...momentsOf(search, timeZone),
    page_size: DEFAULT_PAGE_SIZE,
  };
}

/** The first and last moment of the filter's days; both days are included. */
function momentsOf({ from, to }: DeliverySearch, timeZone: string) {
  const end = to === null ? null : zonedMoment(addDays(to, 1), timeZone);
  return {
    created_from: from === null ? null : zonedMoment(from, timeZone),
    created_to: end && new Date(Date.parse(end) - 1).toISOString(),
  };
}

export async function getDelivery(scope: Scope, id: string): Promise<Delivery> {
  const { billing } = await requireSeller(scope, "webhooks:read");
  return new DeliveryClient(billing).getDelivery(id);
}
