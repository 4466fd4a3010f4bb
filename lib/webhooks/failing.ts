import type { DeliveryRow } from "#contract/deliveries.ts";
import type { Webhook } from "#contract/webhooks.ts";

/** Deliveries that were given up are reported for so many days. */
export const GIVEN_UP_DAYS = 7;

export interface FailingEndpoint {
  endpoint_url: string;
  /** Failed deliveries that will be tried again. */
  retrying: number;
  /** Recent deliveries that were given up. */
  given_up: number;
  /** Whether the service switched one of its events off. */
  is_off: boolean;
}

export interface Failing {
  endpoints: FailingEndpoint[];
  /** How many of the newest deliveries were counted; null if all were. */
  counted: number | null;
}

type At = Pick<DeliveryRow, "endpoint_url">;

/** Grouped by URL, most deliveries first. @param off events that the service switched off */
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
