import { queryRow, queryRows, type Database } from "../db/database.ts";
import { OF_ACCOUNT, sellerAt } from "../sellers/store.ts";

/** A seller's account at a payment provider. */
export interface PaymentAccount {
  account_id: number;
  seller_id: number;
  mode: "test" | "live";
  provider: string;
  /** The text that buyers read instead of the provider's name. */
  label: string | null;
  sealed_settings: Buffer | null;
  position: number;
  least: string | null;
  most: string | null;
  is_active: boolean;
  /** Whether its buyers need no code, because the provider has them sign in. */
  identifies_buyer: boolean;
  account_key: string;
  problem: string | null;
  problem_at: Date | null;
  faults: number;
  rests_until: Date | null;
  version: string;
}

const COLUMNS = `account_id, seller_id, mode, provider, label, sealed_settings, position,
  least::text as least, most::text as most, is_active, identifies_buyer, account_key, problem, problem_at, faults,
  rests_until, version`;

/** A seller's accounts in the order in which buyers see them. */
export const selectPaymentAccounts = (
  database: Database,
  sellerId: number,
  mode: "test" | "live",
) =>
  queryRows<PaymentAccount>(
    database,
    `select ${COLUMNS} from payment_account
     where seller_id = $1 and mode = $2 and removed_at is null order by position, account_id`,
    [sellerId, mode],
  );

export const selectAccount = (database: Database, accountId: number) =>
  queryRow<PaymentAccount>(
    database,
    `select ${COLUMNS} from payment_account where account_id = $1`,
    [accountId],
  );

/** The account to whose address a provider sent a buyer or a notice. */
export const selectAccountByKey = (database: Database, key: string) =>
  queryRow<PaymentAccount>(
    database,
    `select ${COLUMNS} from payment_account
     where seller_id = ${sellerAt("$1")} and account_key = $1
       and removed_at is null`,
    [key],
  );

export const selectAccountOf = (
  database: Database,
  sellerId: number,
  { mode, provider }: Pick<PaymentAccount, "mode" | "provider">,
) =>
  queryRow<PaymentAccount>(
    database,
    `select ${COLUMNS} from payment_account
     where seller_id = $1 and mode = $2 and provider = $3 and removed_at is null`,
    [sellerId, mode, provider],
  );

type SavedAccount = Pick<
  PaymentAccount,
  | "seller_id"
  | "mode"
  | "provider"
  | "label"
  | "sealed_settings"
  | "position"
  | "least"
  | "most"
  | "is_active"
  | "identifies_buyer"
>;

/**
 * Sets up an account, or changes it if it still has that version.
 * @returns null if it was changed or set up meanwhile
 */
export const saveAccount = (
  database: Database,
  saved: SavedAccount,
  { version, at }: { version: string | null; at: Date },
) =>
  queryRow<PaymentAccount>(
    database,
    `insert into payment_account as known (seller_id, mode, provider, label, sealed_settings,
       position, least, most, is_active, created_at, identifies_buyer)
     select $1::bigint, $2, $3, $4, $5::bytea, $6::integer, $7::numeric, $8::numeric, $9::boolean,
       $10::timestamptz, $12::boolean
     where $11::uuid is null or exists (select from payment_account
       where seller_id = $1 and mode = $2 and provider = $3 and removed_at is null)
     on conflict (seller_id, mode, provider) where removed_at is null do update
     set label = $4, sealed_settings = $5, position = $6, least = $7, most = $8, is_active = $9,
       identifies_buyer = $12, version = gen_random_uuid(), problem = null, problem_at = null, faults = 0,
       rests_until = null
     where known.version = $11
     returning ${COLUMNS}`,
    [
      saved.seller_id,
      saved.mode,
      saved.provider,
      saved.label,
      saved.sealed_settings,
      saved.position,
      saved.least,
      saved.most,
      saved.is_active,
      at,
      version,
      saved.identifies_buyer,
    ],
  );

/** Puts a seller's accounts into an order, by the names of all their providers. */
export const orderAccounts = (
  database: Database,
  sellerId: number,
  { mode, order }: { mode: PaymentAccount["mode"]; order: readonly string[] },
) =>
  database.query(
    `update payment_account a set position = o.position
     from unnest($3::text[]) with ordinality as o (provider, position)
     where a.seller_id = $1 and a.mode = $2 and a.provider = o.provider and a.removed_at is null`,
    [sellerId, mode, order],
  );

/**
 * How many of the account's payments the provider is still asked about, and until when; null if
 * none.
 */
export async function watchedUntil(database: Database, accountId: number) {
  const row = await queryRow<{ count: number; until: Date | null }>(
    database,
    `select count(*)::int as count, max(coalesce(ended_at, begun_at)) + interval '8 days' as until
     from charge where seller_id = ${OF_ACCOUNT}
       and account_id = $1 and next_at is not null`,
    [accountId],
  );
  return row?.until ? { count: row.count, until: row.until } : null;
}

/** Deletes the settings; the row stays, because its charges name it. */
export const removeAccount = (database: Database, accountId: number, at: Date) =>
  database.query(
    `update payment_account set removed_at = $2, is_active = false, sealed_settings = null,
       problem = null, problem_at = null where account_id = $1`,
    [accountId, at],
  );

const SECOND = 1_000;
const FAULTS_BEFORE_PAUSE = 3;
const LONGEST_PAUSE = 600 * SECOND;

/**
 * Records that a call to the provider failed; after several failures in a row it is not called for a
 * while.
 * @param pause milliseconds for which it is not called, even after a single failure
 */
export async function noteFault(
  database: Database,
  accountId: number,
  { now, pause = 0, problem = null }: { now: Date; pause?: number; problem?: string | null },
): Promise<void> {
  await database.query(
    `update payment_account set faults = faults + 1,
       rests_until = greatest(rests_until, $2::timestamptz + greatest($3,
         case when faults + 1 >= ${FAULTS_BEFORE_PAUSE}
           then least(15000 * 2 ^ least(faults + 1 - ${FAULTS_BEFORE_PAUSE}, 10), ${LONGEST_PAUSE})
           else 0 end) * interval '1 millisecond'),
       problem = coalesce($4, problem),
       problem_at = case when $4::text is null then problem_at else $2 end
     where account_id = $1`,
    [accountId, now, pause, problem],
  );
}

export const noteAnswer = (database: Database, accountId: number) =>
  database.query(
    `update payment_account set faults = 0, rests_until = null, problem = null, problem_at = null
     where account_id = $1 and (faults > 0 or rests_until is not null or problem is not null)`,
    [accountId],
  );
