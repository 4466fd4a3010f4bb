import { queryRow, queryRows, type Database } from "../db/database.ts";

export interface Seller {
  seller_id: number;
  name: string;
  kyc_verified: boolean;
  api_usage_type: "payment" | "reminder_and_payment" | null;
  time_zone: string;
  grace_days: number;
  /** How far a sandbox seller's clock is ahead (see `sellerNow`); 0 in live mode. */
  clock_offset_ms: number;
  /** The part of its URL that identifies the seller's page for buyers. */
  page_key: string;
}

const COLUMNS =
  "seller_id, name, kyc_verified, api_usage_type, time_zone, grace_days, clock_offset_ms, page_key";

export interface NewSeller extends Omit<Seller, "seller_id" | "clock_offset_ms" | "page_key"> {
  created_at: Date;
}

export async function insertSeller(database: Database, seller: NewSeller): Promise<Seller> {
  const { rows } = await database.query<Seller>(
    `insert into seller (name, kyc_verified, api_usage_type, time_zone, grace_days, created_at)
     values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [
      seller.name,
      seller.kyc_verified,
      seller.api_usage_type,
      seller.time_zone,
      seller.grace_days,
      seller.created_at,
    ],
  );
  return rows[0] as Seller;
}

interface ReferencedSeller extends NewSeller {
  /** The name of the account at the installation that opened it. */
  reference: string;
  currency: string;
  return_url: string | null;
}

/** The seller with that reference, inserted if there is none, locked until the transaction ends. */
export async function lockReferencedSeller(
  database: Database,
  seller: ReferencedSeller,
): Promise<Seller> {
  const { rows } = await database.query<Seller>(
    // An update that changes nothing locks and returns the row that another request inserted.
    `insert into seller as s (name, kyc_verified, api_usage_type, time_zone, grace_days, created_at,
       reference, currency, return_url)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (reference) do update set reference = s.reference returning ${COLUMNS}`,
    [
      seller.name,
      seller.kyc_verified,
      seller.api_usage_type,
      seller.time_zone,
      seller.grace_days,
      seller.created_at,
      seller.reference,
      seller.currency,
      seller.return_url,
    ],
  );
  return rows[0] as Seller;
}

export const findSellersByName = (database: Database, name: string) =>
  queryRows<Seller>(database, `select ${COLUMNS} from seller where name = $1 limit 2`, [name]);

export const findSeller = (database: Database, sellerId: number) =>
  queryRow<Seller>(database, `select ${COLUMNS} from seller where seller_id = $1`, [sellerId]);

const OF_BUYERS = COLUMNS.replace("name", "coalesce(checkout_name, name) as name");

/** A seller, with the name that its buyers know. */
export const findSellerOfBuyers = (database: Database, sellerId: number) =>
  queryRow<Seller>(database, `select ${OF_BUYERS} from seller where seller_id = $1`, [
    sellerId,
  ]);

/** The seller of a page for buyers, with the name that they know. */
export const findSellerOfPage = (database: Database, key: string) =>
  queryRow<Seller>(database, `select ${OF_BUYERS} from seller where page_key = $1`, [key]);

/** SQL: the seller to whom that id in an address leads; a key that is no UUID is listed as its MD5. */
export const sellerAt = (id: string) => `(select seller_id from directory where id = ${id})`;

/** SQL: the seller of the payment account in the first parameter. */
export const OF_ACCOUNT = "(select seller_id from payment_account where account_id = $1)";

export const selectSellers = (database: Database) =>
  queryRows<Seller>(database, `select ${COLUMNS} from seller order by seller_id`);

export async function updateSeller(
  database: Database,
  seller_id: number,
  changes: {
    [Key in Exclude<keyof NewSeller, "name" | "created_at">]?: NewSeller[Key] | undefined;
  },
): Promise<Seller> {
  // Omitted fields are filled from the row itself; null is a value (no API usage type).
  const { rows } = await database.query<Seller>(
    `update seller s set kyc_verified = c.kyc_verified, api_usage_type = c.api_usage_type,
       time_zone = c.time_zone, grace_days = c.grace_days, version = gen_random_uuid(),
       suspended_at = case when c.kyc_verified then null
         when s.kyc_verified then now() else s.suspended_at end
     from seller known, jsonb_populate_record(known, $2) c
     where s.seller_id = $1 and known.seller_id = $1
     returning s.seller_id, s.name, s.kyc_verified, s.api_usage_type, s.time_zone, s.grace_days,
       s.clock_offset_ms, s.page_key`,
    [seller_id, changes],
  );
  return rows[0] as Seller;
}

/**
 * Locks the seller until the transaction ends, so that positions are assigned one after the other.
 */
export const lockSeller = (database: Database, sellerId: number) =>
  database.query("select 1 from seller where seller_id = $1 for no key update", [sellerId]);

/**
 * The seller's current time, used for subscriptions and prices; a sandbox seller can be ahead
 * of real time (ADR 0072). Codes, deliveries and leases use real time.
 */
export const sellerNow = ({ clock_offset_ms }: Pick<Seller, "clock_offset_ms">, now: Date) =>
  new Date(now.getTime() + clock_offset_ms);
