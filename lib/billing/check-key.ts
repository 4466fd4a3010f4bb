import "server-only";
import { networkErrorCode } from "./answer.ts";
import { BillingClient } from "./client.ts";
import { AppError, failureOf } from "#lib/failure.ts";
import type { KeyCheck, NoAnswerReason } from "./key-check-result.ts";

const ONE = { page: 1, page_size: 1 };

/**
 * Products are open to any valid key, subscriptions only to a verified account.
 * @param own the base URL of the key's mode; `other`: of the other mode, null if it is not configured
 */
export async function checkKey(
  apiKey: string,
  { own, other }: { own: string; other: string | null },
  readTimeout = 5_000,
): Promise<KeyCheck> {
  const clientAt = (baseUrl: string) =>
    new BillingClient({ baseUrl, connect: async () => ({ apiKey }), readTimeout });
  const client = clientAt(own);
  const listed = await checkWith(() => client.listProducts(ONE));
  if (listed.kind === "refused" && other !== null) {
    const elsewhere = await checkWith(() => clientAt(other).listProducts(ONE));
    return ["good", "no_reading"].includes(elsewhere.kind) ? { kind: "other_mode" } : listed;
  }
  if (listed.kind !== "good") return listed;
  return checkWith(() => client.listSubscriptions({ ...ONE, status: null }));
}

async function checkWith(call: () => Promise<unknown>): Promise<KeyCheck> {
  try {
    await call();
    return { kind: "good" };
  } catch (error) {
    return keyCheckOf(error);
  }
}

function keyCheckOf(error: unknown): KeyCheck {
  const failure = failureOf(error);
  const { kind } = failure;
  if (kind === "unauthorized") return { kind: "refused" };
  if (kind === "unverified") return { kind: "unverified" };
  // A 403 is a conflict only if the key lacks a scope.
  if (failure.kind === "conflict" && failure.status === 403) return { kind: "no_reading" };
  if (failure.kind === "rate_limited") return failure;
  if (kind !== "unavailable") return { kind: "not_this_api" };
  const cause = error instanceof AppError ? error.cause : undefined;
  // Without a network error, the response had a status of 500 or above.
  return cause === undefined
    ? { kind: "troubled" }
    : { kind: "no_answer", why: noAnswerReasonOf(cause) };
}

const NO_ANSWER_REASONS: Record<string, NoAnswerReason> = {
  ENOTFOUND: "unknown_host",
  EAI_AGAIN: "unknown_host",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
};

function noAnswerReasonOf(error: unknown): NoAnswerReason {
  if (!(error instanceof Error)) return "broken";
  if (error.name === "TimeoutError") return "timeout";
  const code = networkErrorCode(error);
  const isTls = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
  return NO_ANSWER_REASONS[code] ?? (isTls ? "tls" : "broken");
}
