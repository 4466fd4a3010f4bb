import { attempt, decryptSecrets, type AttemptContext, type Attempted } from "./attempt.ts";
import type { EndpointKey, Due } from "./claim-store.ts";
import type { DeliveryObserver } from "./observer.ts";
import type { createRecorder } from "./recorder.ts";

const GONE = 410;
/** Parallel requests to one endpoint: Standard Webhooks asks senders not to flood it. */
export const IN_FLIGHT = 4;

export interface LaneContext extends AttemptContext {
  /** The current encryption key first, then the previous ones. */
  secretsKeys: readonly Buffer[];
  observer: DeliveryObserver;
  recorder: ReturnType<typeof createRecorder>;
  /** Milliseconds after which no request starts, so that the lease outlasts the others. */
  slice: number;
  isClosing: () => boolean;
}

/**
 * Sends the due deliveries of one address: subscriptions in parallel, each one's deliveries in
 * order. What does not start in time, or follows a failure, is left for the next pass.
 */
export async function serveLane(
  context: LaneContext,
  address: EndpointKey & { lease: string },
  deliveries: Due[],
): Promise<void> {
  const end = performance.now() + context.slice;
  const chains = [...Map.groupBy(deliveries, (row) => row.subscription_id).values()];
  const gone = new Set<number>();
  const rest: { until: Date | null } = { until: null };
  // Decrypted once for each endpoint and kept while the lane is open.
  const secrets = new Map<number, readonly string[] | null>();
  for (const delivery of deliveries)
    if (!secrets.has(delivery.webhook_id))
      secrets.set(delivery.webhook_id, decryptSecrets(context.secretsKeys, delivery));
  const mayGoOn = (): boolean => !rest.until && performance.now() < end && !context.isClosing();

  const serveChain = async (chain: Due[]) => {
    let isHeldUp: boolean = false;
    for (const delivery of chain) {
      // By then an earlier delivery has failed for longer than later ones wait.
      const passes = delivery.by_hand || delivery.failing_until !== null;
      if (!mayGoOn()) return;
      if (gone.has(delivery.webhook_id) || (isHeldUp && !passes)) continue;
      const attempted: Attempted | null = await attempt(
        context,
        delivery,
        secrets.get(delivery.webhook_id) ?? null,
      );
      if (attempted === null) return;
      const { outcome, restsUntil }: Attempted = attempted;
      if (outcome.response_code === GONE) gone.add(delivery.webhook_id);
      if (outcome.state === "pending") isHeldUp = true;
      context.observer.attempted(outcome, waitedFor(delivery, outcome));
      context.recorder.record({ outcome, failing_since: delivery.failing_since });
      rest.until = restsUntil ?? rest.until;
    }
  };
  const serveChains = async () => {
    for (let chain = chains.shift(); chain; chain = chains.shift()) await serveChain(chain);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, serveChains));
  const free_at = rest.until ?? context.now();
  await context.recorder.release({ ...address, free_at, rests: rest.until !== null });
}

const waitedFor = ({ tries, by_hand, queued_at }: Due, { started_at }: Attempted["outcome"]) =>
  tries === 0 && !by_hand ? started_at.getTime() - queued_at.getTime() : null;
