import type { DeliveryRow } from "#contract/deliveries.ts";
import type { Webhook } from "#contract/webhooks.ts";

/** How long it is told that deliveries were given up. */
export const GIVEN_UP_DAYS = 7;

export interface FailingEndpoint {
  endpoint_url: string;
  /** Deliveries that were tried in vain and are tried again. */
  retrying: number;
  /** Deliveries of the last days that are tried no more. */
  given_up: number;
  /** Whether the service has switched a registration of it off. */
  is_off: boolean;
}

export interface Failing {
  endpoints: FailingEndpoint[];
  /** How many of the newest were counted, where there are more; null where all were. */
  counted: number | null;
}

type At = Pick<DeliveryRow, "endpoint_url">;

/** By address, most deliveries first. @param off registrations that the service switched off */
export function failingOf(
  retrying: readonly At[],
  givenUp: readonly At[],
  off: readonly Pick<Webhook, "endpoint_url">[],
): FailingEndpoint[] {
  const [again, lost] = [retrying, givenUp].map((deliveries) =>
    Map.groupBy(deliveries, ({ endpoint_url }) => endpoint_url),
  );
  const switchedOff = new Set(off.map(({ endpoint_url }) => endpoint_url));
  const addresses = [...retrying, ...givenUp, ...off].map(({ endpoint_url }) => endpoint_url);
  return [...new Set(addresses)]
    .map((endpoint_url) => ({
      endpoint_url,
      retrying: again?.get(endpoint_url)?.length ?? 0,
      given_up: lost?.get(endpoint_url)?.length ?? 0,
      is_off: switchedOff.has(endpoint_url),
    }))
    .toSorted((a, b) => b.retrying + b.given_up - (a.retrying + a.given_up));
}
