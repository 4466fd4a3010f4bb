import { openSecret } from "../webhooks/secret.ts";
import type { Due } from "./claim-store.ts";
import { nextStep } from "./next-step.ts";
import type { Answer, Post } from "./post.ts";
import type { Outcome } from "./record-store.ts";
import { requestHeaders, sign } from "./sign.ts";

export interface AttemptContext {
  now: () => Date;
  /** Between 0 and 1. */
  random: () => number;
  secretsKey: Buffer;
  post: Post;
}

export interface Attempted {
  outcome: Outcome;
  restsUntil: Date | null;
}

/**
 * Signs a delivery with the secrets of this moment, sends it, and says what is to become of it.
 * @returns null where it was cut off and nothing is known
 */
export async function attempt(
  { now, random, secretsKey, post }: AttemptContext,
  delivery: Due,
): Promise<Attempted | null> {
  const started_at = now();
  const start = performance.now();
  const signatures = signaturesOf(secretsKey, delivery, started_at);
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
  const { delivery_id, seller_id, webhook_id, subscription_id, endpoint_url } = delivery;
  return {
    restsUntil,
    outcome: {
      delivery_id,
      seller_id,
      webhook_id,
      subscription_id,
      endpoint_url,
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

const UNSIGNED: Answer = {
  code: null,
  body: null,
  retry_after: undefined,
  error: "Not sent. The signing secret cannot be opened with this SERVICE_SECRETS_KEY.",
};

/** @returns null where the secrets were sealed with another key. */
function signaturesOf(key: Buffer, delivery: Due, at: Date): string | null {
  try {
    const secrets = [delivery.sealed_secret, delivery.previous_sealed_secret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => openSecret(key, delivery.seller_id, sealed));
    return sign(delivery, at, secrets);
  } catch {
    return null;
  }
}
