import "server-only";
import { ReceivedAccountDirectory, ReceivedAccountProfile } from "#contract/account.ts";
import {
  ReceivedCreatedSubscription,
  ReceivedMessage,
  type CreatedSubscription,
  type Message,
  type TakeOverSubscription,
} from "#contract/subscriptions.ts";
import { findAccountClient } from "#lib/billing/account.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { ACCOUNT_ROOT, DISCOVERY_TIMEOUT } from "#lib/billing/discovery.ts";
import { pathSegment, Transport } from "#lib/billing/transport.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError, isTemporaryFailure } from "#lib/failure.ts";
import type { TakesPaidUntil } from "./queries.ts";

const SUBSCRIPTIONS = `${ACCOUNT_ROOT}/subscriptions`;

/**
 * Calls beyond the specified API, which some services offer: taking over and withdrawing
 * subscriptions. All methods throw AppError.
 */
export class TakeOverClient {
  readonly #transport: Transport;

  constructor(opened: Transport | { baseUrl: string; token: string }) {
    this.#transport =
      opened instanceof Transport
        ? opened
        : new Transport({ ...opened, connect: async () => ({ apiKey: opened.token }) });
  }

  /** @param idempotencyKey a second call with the same key creates nothing more */
  takeOver(body: TakeOverSubscription, idempotencyKey: string): Promise<CreatedSubscription> {
    return this.#transport.write({
      path: SUBSCRIPTIONS,
      body,
      answer: ReceivedCreatedSubscription,
      idempotencyKey,
    });
  }

  /** Cancels at once a subscription that nobody has paid; a second call changes nothing. */
  async withdraw(subscription_id: string): Promise<Message> {
    const path = `${SUBSCRIPTIONS}/${pathSegment(subscription_id)}/withdraw`;
    return this.#transport.write({ path, answer: ReceivedMessage });
  }
}

interface Asking {
  owner: KeyOwner;
  billing: BillingClient;
}

/** Returns a function that asks the service once, at its first call. */
export function lazyTakeOver(asking: Asking): () => Promise<TakeOverClient | null> {
  let found: Promise<TakeOverClient | null> | undefined;
  return () => (found ??= findTakeOver(asking));
}

/**
 * Whether the service offers to take over; true without an answer, because it is asked again when
 * needed.
 */
export const isTakeOverOffered = (asked: Promise<TakeOverClient | null>): Promise<boolean> =>
  asked.then(
    (found) => found !== null,
    () => true,
  );

/**
 * The client for a service that offers to take over subscriptions, with the token of the seller's
 * own account or a key with the required scope; null for other services, or without either.
 * @throws AppError for a temporary failure, which says nothing about the service
 */
export const findTakeOver = async (asking: Asking): Promise<TakeOverClient | null> =>
  (await askTakeOver(asking)).client;

/**
 * Whether subscriptions that were paid elsewhere can be taken over; `other_key`: only with a key
 * that has the required scope. `yes` also if the service does not answer.
 */
export const readTakeOver = (asking: Asking): Promise<TakesPaidUntil> =>
  askTakeOver(asking).then(
    ({ isOffered, client }) => (client ? "yes" : isOffered ? "other_key" : "no"),
    () => "yes",
  );

async function askTakeOver({ owner, billing }: Asking) {
  const asked = billing.extension("account", DISCOVERY_TIMEOUT);
  const answer = { isOffered: false, client: null as TakeOverClient | null };
  try {
    const { operations } = await asked.read({
      path: ACCOUNT_ROOT,
      answer: ReceivedAccountDirectory,
    });
    answer.isOffered = operations.some(
      ({ method, path }) => method === "POST" && path === `/${SUBSCRIPTIONS}/`,
    );
    if (!answer.isOffered) return answer;
    answer.client = await findAccountClient(owner, TakeOverClient);
    if (answer.client) return answer;
    const { credential } = await asked.read({
      path: `${ACCOUNT_ROOT}/profile`,
      answer: ReceivedAccountProfile,
    });
    if (credential.scopes.includes("account"))
      answer.client = new TakeOverClient(billing.extension("account"));
  } catch (error) {
    if (!(error instanceof AppError) || isTemporaryFailure(error.failure)) throw error;
  }
  return answer;
}
