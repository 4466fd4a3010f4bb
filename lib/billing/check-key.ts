import "server-only";
import { BillingClient } from "./client.ts";
import { AppError, failureOf } from "#lib/failure.ts";
import type { KeyCheck, NoAnswerReason } from "./key-check-result.ts";

interface Addresses {
  /** Where keys of this mode belong. */
  own: string;
  /** The other mode's, when this installation has it. */
  other: string | null;
}

const TIMEOUT_MS = 5_000;
const ONE = { page: 1, page_size: 1 };

/** The product list answers every key that is one; a subscription only that of a verified account. */
export async function checkKey(
  apiKey: string,
  { own, other }: Addresses,
  readTimeout = TIMEOUT_MS,
): Promise<KeyCheck> {
  const clientAt = (baseUrl: string) =>
    new BillingClient({ baseUrl, connect: async () => ({ apiKey }), readTimeout });
  const client = clientAt(own);
  const listed = await findingOf(() => client.listProducts(ONE));
  if (listed.kind === "refused" && other !== null) {
    const elsewhere = await findingOf(() => clientAt(other).listProducts(ONE));
    return elsewhere.kind === "good" ? { kind: "other_mode" } : listed;
  }
  // The products are open to everybody with a key: something else stands there and forbids.
  if (listed.kind === "unverified") return { kind: "not_this_api" };
  if (listed.kind !== "good") return listed;
  return findingOf(() => client.listSubscriptions({ ...ONE, status: null }));
}

async function findingOf(call: () => Promise<unknown>): Promise<KeyCheck> {
  try {
    await call();
    return { kind: "good" };
  } catch (error) {
    return whatFailed(error);
  }
}

function whatFailed(error: unknown): KeyCheck {
  const failure = failureOf(error);
  const { kind } = failure;
  if (kind === "unauthorized") return { kind: "refused" };
  if (kind === "unverified") return { kind: "unverified" };
  if (failure.kind === "rate_limited") return failure;
  if (kind !== "unavailable") return { kind: "not_this_api" };
  const cause = error instanceof AppError ? error.cause : undefined;
  // Without a network error it was an answer, of 500 or above.
  return cause === undefined
    ? { kind: "troubled" }
    : { kind: "no_answer", why: silenceOf(cause) };
}

const SILENCES: Record<string, NoAnswerReason> = {
  ENOTFOUND: "unknown_host",
  EAI_AGAIN: "unknown_host",
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "refused",
  ENETUNREACH: "refused",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
};

function silenceOf(error: unknown): NoAnswerReason {
  if (!(error instanceof Error)) return "broken";
  if (error.name === "TimeoutError") return "timeout";
  const code = codeOf(error.cause);
  const isTls = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|EPROTO/.test(code);
  return SILENCES[code] ?? (isTls ? "tls" : "broken");
}

const codeOf = (cause: unknown) =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
