import { decryptWithAnyKey } from "../webhooks/secret.ts";
import type { DueDelivery, EndpointKey } from "./claim-store.ts";
import type { EndpointAnswer, PostToEndpoint } from "./post.ts";
import type { AttemptOutcome } from "./record-store.ts";
import type { createRecorder, DeliveryObserver } from "./recorder.ts";
import { stepAfterAttempt } from "./schedule.ts";
import { requestHeaders, signMessage } from "./sign.ts";

const GONE = 410;
/** The most parallel requests to one endpoint: Standard Webhooks asks senders not to flood it. */
export const MAX_IN_FLIGHT = 4;

export interface LaneContext extends AttemptContext {
  /** The current encryption key first, then the previous ones. */
  secretsKeys: readonly Buffer[];
  observer: DeliveryObserver;
  recorder: ReturnType<typeof createRecorder>;
  /** Milliseconds after which no request starts, so that all requests end before the lease does. */
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
  deliveries: DueDelivery[],
): Promise<void> {
  const end = performance.now() + context.slice;
  const chains = [...Map.groupBy(deliveries, (row) => row.subscription_id).values()];
  const gone = new Set<number>();
  const paused: { until: Date | null } = { until: null };
  // Decrypted once for each endpoint and kept while the lane is open.
  const secrets = new Map<number, readonly string[] | null>();
  for (const delivery of deliveries)
    if (!secrets.has(delivery.webhook_id))
      secrets.set(delivery.webhook_id, decryptSecrets(context.secretsKeys, delivery));
  const mayGoOn = (): boolean =>
    !paused.until && performance.now() < end && !context.isClosing();

  const serveChain = async (chain: DueDelivery[]) => {
    let isHeldUp: boolean = false;
    for (const delivery of chain) {
      // Sent although an earlier one failed: a person resent it, or the earlier one has failed
      // for longer than later ones wait.
      const passes = delivery.by_hand || delivery.failing_until !== null;
      if (!mayGoOn()) return;
      if (gone.has(delivery.webhook_id) || (isHeldUp && !passes)) continue;
      const own = secrets.get(delivery.webhook_id) ?? null;
      const attempted: Attempted | null = await attempt(context, delivery, own);
      if (attempted === null) return;
      const { outcome, pausedUntil }: Attempted = attempted;
      if (outcome.response_code === GONE) gone.add(delivery.webhook_id);
      if (outcome.state === "pending") isHeldUp = true;
      context.observer.attempted(outcome, waitedFor(delivery, outcome));
      context.recorder.record({ outcome, failing_since: delivery.failing_since });
      paused.until = pausedUntil ?? paused.until;
    }
  };
  const serveChains = async () => {
    for (let chain = chains.shift(); chain; chain = chains.shift()) await serveChain(chain);
  };
  await Promise.all(Array.from({ length: MAX_IN_FLIGHT }, serveChains));
  const free_at = paused.until ?? context.now();
  await context.recorder.release({ ...address, free_at, is_paused: paused.until !== null });
}

const waitedFor = (
  { tries, by_hand, queued_at }: DueDelivery,
  { started_at }: Attempted["outcome"],
) => (tries === 0 && !by_hand ? started_at.getTime() - queued_at.getTime() : null);

interface AttemptContext {
  now: () => Date;
  /** Returns a random number between 0 and 1. */
  random: () => number;
  post: PostToEndpoint;
}

interface Attempted {
  outcome: AttemptOutcome;
  pausedUntil: Date | null;
}

/**
 * Signs and sends a delivery and decides what follows.
 * @param secrets null if they cannot be decrypted
 * @returns null if the attempt was aborted and its result is unknown
 */
async function attempt(
  { now, random, post }: AttemptContext,
  delivery: DueDelivery,
  secrets: readonly string[] | null,
): Promise<Attempted | null> {
  const started_at = now();
  const start = performance.now();
  const signatures = secrets && signMessage(delivery, started_at, secrets);
  const answer =
    signatures === null
      ? UNSIGNED
      : await post(
          delivery.endpoint_url,
          requestHeaders(delivery.event_id, started_at, signatures),
          delivery.body,
        );
  if (!answer) return null;
  const { pausedUntil, ...step } = stepAfterAttempt(delivery, answer, now(), random());
  return {
    pausedUntil,
    outcome: {
      ...delivery,
      started_at,
      duration_ms: Math.round(performance.now() - start),
      signatures: signatures ?? "",
      response_code: answer.code,
      response_body: answer.body,
      error: answer.error,
      ...step,
    },
  };
}

const UNSIGNED: EndpointAnswer = {
  code: null,
  body: null,
  retry_after: undefined,
  error: "Not sent. The signing secret cannot be decrypted with this SERVICE_SECRETS_KEY.",
};

type Sealed = Pick<DueDelivery, "seller_id" | "sealed_secret" | "previous_sealed_secret">;

/** The secrets that sign a delivery now. @returns null if they were encrypted with another key */
export function decryptSecrets(
  keys: readonly Buffer[],
  { seller_id, sealed_secret, previous_sealed_secret }: Sealed,
): readonly string[] | null {
  const opened = [sealed_secret, previous_sealed_secret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => decryptWithAnyKey(keys, seller_id, sealed)?.secret);
  return opened.every((secret) => secret !== undefined) ? opened : null;
}
