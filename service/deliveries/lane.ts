import { attempt, type AttemptContext, type Attempted } from "./attempt.ts";
import type { Claimed } from "./claim-store.ts";
import type { createRecorder } from "./recorder.ts";

const GONE = 410;
/** Standard Webhooks asks senders not to flood: so many requests at once to one endpoint. */
export const IN_FLIGHT = 4;

export interface LaneContext extends AttemptContext {
  recorder: ReturnType<typeof createRecorder>;
  /** Milliseconds after which nothing more is begun, so that the lease outlasts what runs. */
  slice: number;
  isClosing: () => boolean;
}

/**
 * Sends what was taken of one address: subscriptions side by side, each one's in order. What is not
 * begun in time, and what follows a failure, goes back.
 */
export async function serveLane(context: LaneContext, deliveries: Claimed[]): Promise<void> {
  const [first] = deliveries;
  if (!first) return;
  const end = performance.now() + context.slice;
  const chains = [...Map.groupBy(deliveries, (row) => row.subscription_id).values()];
  const unsent: number[] = [];
  const gone = new Set<number>();
  const rest: { until: Date | null } = { until: null };
  const mayGoOn = (): boolean => !rest.until && performance.now() < end && !context.isClosing();

  const serveChain = async (chain: Claimed[]) => {
    let isHeldUp: boolean = false;
    for (const delivery of chain) {
      const isOpen = mayGoOn() && !gone.has(delivery.webhook_id);
      const maySend = isOpen && (!isHeldUp || delivery.passes);
      const attempted: Attempted | null = maySend ? await attempt(context, delivery) : null;
      if (attempted === null) {
        unsent.push(delivery.delivery_id);
        continue;
      }
      const { outcome, restsUntil }: Attempted = attempted;
      if (outcome.response_code === GONE) gone.add(delivery.webhook_id);
      context.recorder.record({ outcome, failing_since: delivery.failing_since });
      rest.until = restsUntil ?? rest.until;
      if (outcome.state === "pending") isHeldUp = true;
    }
  };
  const serveChains = async () => {
    for (let chain = chains.shift(); chain; chain = chains.shift()) await serveChain(chain);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, serveChains));

  const { seller_id, address_key, lease } = first;
  const free_at = rest.until ?? context.now();
  await context.recorder.release({ seller_id, address_key, lease, unsent, free_at });
}
