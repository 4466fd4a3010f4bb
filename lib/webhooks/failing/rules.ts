import type { DeliveryRow } from "#contract/deliveries.ts";
import type { Webhook } from "#contract/webhooks.ts";

export interface FailingEndpoint {
  endpoint_url: string;
  /** Deliveries that were tried in vain and are tried again. */
  retrying: number;
  /** Whether the service has switched a registration of it off. */
  is_off: boolean;
}

/** By address, most deliveries first. @param off registrations that the service switched off */
export function failingOf(
  retrying: readonly Pick<DeliveryRow, "endpoint_url">[],
  off: readonly Pick<Webhook, "endpoint_url">[],
): FailingEndpoint[] {
  const counts = Map.groupBy(retrying, ({ endpoint_url }) => endpoint_url);
  const switchedOff = new Set(off.map(({ endpoint_url }) => endpoint_url));
  return [...new Set([...counts.keys(), ...switchedOff])]
    .map((endpoint_url) => ({
      endpoint_url,
      retrying: counts.get(endpoint_url)?.length ?? 0,
      is_off: switchedOff.has(endpoint_url),
    }))
    .toSorted((one, other) => other.retrying - one.retrying);
}
