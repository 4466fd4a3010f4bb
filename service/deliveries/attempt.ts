import { openBy } from "../webhooks/secret.ts";
import type { Due } from "./claim-store.ts";
import { nextStep } from "./next-step.ts";
import type { EndpointAnswer, Post } from "./post.ts";
import type { Outcome } from "./record-store.ts";
import { requestHeaders, sign } from "./sign.ts";

export interface AttemptContext {
  now: () => Date;
  /** Between 0 and 1. */
  random: () => number;
  post: Post;
}

export interface Attempted {
  outcome: Outcome;
  restsUntil: Date | null;
}

/**
 * Signs and sends a delivery and decides what follows.
 * @param secrets null if they cannot be decrypted
 * @returns null if the attempt was aborted and its result is unknown
 */
export async function attempt(
  { now, random, post }: AttemptContext,
  delivery: Due,
  secrets: readonly string[] | null,
): Promise<Attempted | null> {
  const started_at = now();
  const start = performance.now();
  const signatures = secrets && sign(delivery, started_at, secrets);
  const answer =
    signatures === null
      ? UNSIGNED
      : await post(
          delivery.endpoint_url,
          requestHeaders(delivery.event_id, started_at, signatures),
          delivery.body,
        );
  if (!answer) return null;
  const { restsUntil, ...step } = nextStep(delivery, answer, now(), random());
  const { delivery_id, seller_id, webhook_id, subscription_id, endpoint_url, by_hand } =
    delivery;
  return {
    restsUntil,
    outcome: {
      delivery_id,
      seller_id,
      webhook_id,
      subscription_id,
      endpoint_url,
      by_hand,
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
  error: "Not sent. The signing secret cannot be opened with this SERVICE_SECRETS_KEY.",
};

type Sealed = Pick<Due, "seller_id" | "sealed_secret" | "previous_sealed_secret">;

/** The secrets that sign a delivery now. @returns null if they were encrypted with another key */
export function decryptSecrets(
  keys: readonly Buffer[],
  { seller_id, sealed_secret, previous_sealed_secret }: Sealed,
): readonly string[] | null {
  const opened = [sealed_secret, previous_sealed_secret]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openBy(keys, seller_id, sealed)?.secret);
  return opened.every((secret) => secret !== undefined) ? opened : null;
}
