import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import type { ResolveHost } from "../outgoing/guarded-lookup.ts";
import { PROVIDER_ADAPTERS } from "../providers/adapters.ts";
import type { ProviderAdapter, ProviderIo, ProviderSettings } from "../providers/provider.ts";
import { decryptWithAnyKey } from "../webhooks/secret.ts";
import { selectAccount, type PaymentAccount } from "./account-store.ts";
import { createSandboxAdapter } from "./sandbox-provider.ts";

/** The dependencies of taking payments at the checkout (ADR 0060). */
export interface PaymentContext {
  pool: ServiceContext["pool"];
  now: () => Date;
  mode: ServiceContext["mode"];
  publicUrl: string;
  secretsKeys: readonly Buffer[];
  allowPrivate: boolean;
  adapters: readonly ProviderAdapter[];
  /** The wallet and the bank that move no money; null in live mode. */
  sandbox: ProviderAdapter | null;
  resolve?: ResolveHost | undefined;
}

export type PaymentOptions = Pick<
  ServiceContext,
  "pool" | "now" | "mode" | "publicUrl" | "secretsKey" | "oldSecretsKeys" | "privateTargets"
> & {
  /** The providers' protocols; default all. */
  providers?: readonly ProviderAdapter[];
};

export const paymentContext = ({
  pool,
  now,
  mode,
  publicUrl,
  secretsKey,
  oldSecretsKeys = [],
  privateTargets = false,
  providers = PROVIDER_ADAPTERS,
}: PaymentOptions): PaymentContext => ({
  pool,
  now,
  mode,
  publicUrl,
  secretsKeys: secretsKey ? [secretsKey, ...oldSecretsKeys] : [],
  allowPrivate: mode === "test" && privateTargets,
  adapters: providers,
  sandbox: mode === "test" ? createSandboxAdapter(pool, now) : null,
});

/** An adapter with the settings of the account that it works for. */
export interface OpenProvider {
  adapter: ProviderAdapter;
  settings: ProviderSettings;
  /** Null for the sandbox. */
  account: PaymentAccount | null;
}

/** The account with its settings; null if they cannot be read, or belong to the other mode. */
export function openAccount(
  { adapters, secretsKeys, mode }: PaymentContext,
  account: PaymentAccount,
): OpenProvider | null {
  const adapter = adapters.find(({ provider }) => provider === account.provider);
  const { seller_id, sealed_settings } = account;
  const opened = sealed_settings && decryptWithAnyKey(secretsKeys, seller_id, sealed_settings);
  if (!adapter || !opened || account.mode !== mode) return null;
  const settings = adapter.settings.safeParse(JSON.parse(opened.secret));
  if (!settings.success || (adapter.modeOf(settings.data) ?? mode) !== mode) return null;
  return { adapter, settings: settings.data, account };
}

/** The provider of a charge or an attempt; null if it cannot be asked. */
export async function openProvider(
  payments: PaymentContext,
  accountId: number | null,
): Promise<OpenProvider | null> {
  const { sandbox } = payments;
  if (accountId === null) return sandbox && { adapter: sandbox, settings: {}, account: null };
  return openAccountOf(payments.pool, payments, accountId);
}

/** The account that took money; null for the sandbox, and where it cannot be opened. */
export async function openAccountOf(
  database: Database,
  payments: PaymentContext,
  accountId: number | null,
): Promise<OpenProvider | null> {
  const account = accountId === null ? null : await selectAccount(database, accountId);
  return account && openAccount(payments, account);
}

/** The portal in which a person refunds an account's payments; null if unknown. */
export const portalOf = (by: OpenProvider | null) => by && by.adapter.portalOf(by.settings);

/** An account's name as its buyers read it; null for the sandbox. */
export async function accountName(
  { pool, adapters }: PaymentContext,
  accountId: number | null,
): Promise<string | null> {
  const account = accountId === null ? null : await selectAccount(pool, accountId);
  return account && labelOf(adapters, account);
}

/** The seller's own name for an account, else its provider's. */
export const labelOf = <Provider extends string | null>(
  adapters: readonly ProviderAdapter[],
  { label, provider }: { label: string | null; provider: Provider },
): string | Provider =>
  label ?? adapters.find((adapter) => adapter.provider === provider)?.label ?? provider;

/** @param timeout milliseconds */
export const providerIo = (
  { allowPrivate, resolve }: PaymentContext,
  timeout: number,
): ProviderIo => ({
  signal: AbortSignal.timeout(timeout),
  allowPrivate,
  ...(resolve && { resolve }),
});
