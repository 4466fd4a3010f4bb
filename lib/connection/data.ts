import "server-only";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { hasPassword } from "#lib/auth/guards/confirm-person.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import {
  canOpenAccounts,
  connectVerifiedAccount,
  isAccountOpened,
} from "#lib/billing/account.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { findConnection, type Connection } from "#lib/billing/connection.ts";
import { AppError, failureOf } from "#lib/failure.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import { withoutRemovedEndpoints } from "#lib/billing/webhook-endpoints.ts";
import type { ConnectionDetails, GoLive, ConnectionStatus, OwnAccount } from "./queries.ts";
import type { ConnectionState } from "./rules.ts";

const ONE = { page: 1, page_size: 1 };

/** The last known state of the connection, without a call to the service. */
export async function getConnection(scope: Scope): Promise<ConnectionStatus> {
  const { owner } = await requireSeller(scope, "dashboard:open");
  return connectionStatusOf(scope, await find(owner));
}

/** The state, asked for again if the service refused the key or did not verify the account. */
export async function recheckConnection(scope: Scope): Promise<ConnectionStatus> {
  const { owner, billing } = await requireSeller(scope, "dashboard:open");
  const connection = await find(owner);
  if (!isWorthAsking(scope, connection)) return connectionStatusOf(scope, connection);
  // The client saves the key's state; without an answer the state stays.
  await billing.listSubscriptions({ ...ONE, status: null }).catch(() => {});
  return connectionStatusOf(scope, await find(owner));
}

export async function getConnectionDetails(scope: Scope): Promise<ConnectionDetails> {
  const { owner, user } = await requireSeller(scope, "connection:read");
  const own_account = await readOwnAccount(owner, user.id, await find(owner));
  const connection = await find(owner);
  const url = billingUrl(scope.mode);
  return {
    ...connectionStatusOf(scope, connection),
    own_account,
    last4: connection?.last4 ?? null,
    set_at: connection?.set_at.toISOString() ?? null,
    set_by: connection?.set_by ?? null,
    last_success_at: connection?.last_success_at?.toISOString() ?? null,
    last_refusal_at: connection?.last_refusal_at?.toISOString() ?? null,
    has_password: await hasPassword(database(), user.id),
    host: url && new URL(url).host,
  };
}

/** The account's state. One that was verified meanwhile gets its key and is connected. */
async function readOwnAccount(
  owner: Owner,
  user_id: string,
  connection: Connection | null,
): Promise<OwnAccount> {
  const isOpened = await isAccountOpened(database(), owner);
  if (!isOpened) return canOpenAccounts(owner.mode) ? "not_opened" : "not_offered";
  if (connection) return "opened";
  const keys = encryptionKeysOf(env());
  return connectVerifiedAccount(database(), owner, user_id, keys).then(
    (isConnected) => (isConnected ? "opened" : "not_verified"),
    (error: unknown) => {
      if (error instanceof AppError) return "unanswered";
      throw error;
    },
  );
}

type Owner = SignedIn["owner"];
const find = (owner: Owner) => findConnection(database(), owner, encryptionKeysOf(env()));

function connectionStatusOf(scope: Scope, connection: Connection | null): ConnectionStatus {
  const since = connection?.state_since.toISOString() ?? null;
  return { state: stateOf(scope, connection), since };
}

function stateOf({ mode }: Scope, connection: Connection | null): ConnectionState {
  if (billingUrl(mode) === null) return "mode_absent";
  if (!connection) return "none";
  return connection.can_be_opened ? connection.state : "undecryptable";
}

const REFUSED_MS = 60_000;

/**
 * Whether to ask the service again: after a refusal at most once a minute, because the service
 * counts refusals by this server's address.
 */
function isWorthAsking(scope: Scope, connection: Connection | null): boolean {
  const state = stateOf(scope, connection);
  if (state === "unverified") return true;
  const last = connection?.last_refusal_at?.getTime() ?? 0;
  return state === "refused" && Date.now() - last >= REFUSED_MS;
}

/** The steps before the first payment, each done or not; null once all were done. */
export async function getGoLive(scope: Scope): Promise<GoLive | null> {
  const { owner, billing } = await requireSeller(scope, "connection:write");
  const { went_live_at, return_url } = await readSetUp(owner);
  if (went_live_at) return null;
  const state = stateOf(scope, await find(owner));
  const is_connected = state === "good" || state === "unverified";
  const is_verified = state === "good";
  const isOpened = await isAccountOpened(database(), owner);
  const [has_product, has_subscription, has_webhook] = is_verified
    ? await Promise.all([
        isOpened && hasAny(() => billing.listProducts(ONE)),
        hasAny(() => billing.listSubscriptions({ ...ONE, status: null })),
        hasWebhook(database(), owner, billing),
      ])
    : [false, false, false];
  const live = { ...owner, mode: "live" } as const;
  const goLive = {
    is_account_opened:
      isOpened || (!is_connected && canOpenAccounts(owner.mode)) ? isOpened : null,
    is_connected,
    is_verified,
    ...(isOpened && { has_product }),
    has_subscription,
    has_webhook,
    has_return_url: return_url !== null,
    ...(owner.mode === "test" &&
      canOpenAccounts("live") && {
        is_live_begun: (await isAccountOpened(database(), live)) || (await find(live)) !== null,
      }),
  };
  const { is_account_opened: _opened, ...steps } = goLive;
  if (Object.values(steps).some((isDone) => !isDone)) return goLive;
  await rememberWentLive(owner);
  return null;
}

async function hasAny(list: () => Promise<{ results: unknown[] }>): Promise<boolean | null> {
  const page = await list().catch(() => null);
  return page && page.results.length > 0;
}

/** Whether a webhook is registered and not removed; not every service lists them. */
export async function hasWebhook(
  db: Database,
  owner: Owner,
  billing: BillingClient,
): Promise<GoLive["has_webhook"]> {
  try {
    const { results } = await billing.listWebhooks({ page: 1, page_size: MAX_PAGE_SIZE });
    return (await withoutRemovedEndpoints(db, owner, results)).length > 0;
  } catch (error) {
    const { kind } = failureOf(error);
    return kind === "not_found" || kind === "not_offered" ? "not_shown" : null;
  }
}

async function readSetUp({ seller_id, mode }: Owner) {
  const { rows } = await database().query<{
    went_live_at: Date | null;
    return_url: string | null;
  }>(
    `select s.return_url, c.went_live_at
       from seller s left join billing_connection c on c.seller_id = s.id and c.mode = $2
      where s.id = $1`,
    [seller_id, mode],
  );
  return rows[0] ?? { went_live_at: null, return_url: null };
}

async function rememberWentLive({ seller_id, mode }: Owner) {
  await database().query(
    "update billing_connection set went_live_at = now() where seller_id = $1 and mode = $2",
    [seller_id, mode],
  );
}
