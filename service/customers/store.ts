import type { Customer } from "#contract/customers.ts";
import type { PhoneHome } from "#contract/phone-number.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import type { Paging } from "../http/pagination.ts";

export interface BillingDetails {
  business_name: string;
  email: string;
  address: string;
  pan_vat: string;
}

interface CustomerRow {
  id: number;
  buyer_phone: string;
  buyer_email: string;
  full_name: string;
  created_at: Date;
}

const COLUMNS = "id, buyer_phone, buyer_email, full_name, created_at";

/** Customers are never deleted, so the count is also the newest customer's position. */
export const countCustomers = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select last_customer_position as count from seller where seller_id = $1",
    [sellerId],
  )) ?? 0;

/** One page; positions have no gaps, so a page is a range of them. */
export async function selectCustomers(
  database: Database,
  sellerId: number,
  { page, pageSize }: Paging,
  count: number,
): Promise<CustomerRow[]> {
  const newest = count - (page - 1) * pageSize;
  return queryRows<CustomerRow>(
    database,
    `select ${COLUMNS} from customer where seller_id = $1 and position between $2 and $3
     order by position desc`,
    [sellerId, newest - pageSize + 1, newest],
  );
}

export const selectCustomer = (database: Database, sellerId: number, id: number) =>
  queryRow<CustomerRow>(
    database,
    `select ${COLUMNS} from customer where seller_id = $1 and id = $2`,
    [sellerId, id],
  );

export const selectCustomersOf = (database: Database, sellerId: number, ids: number[]) =>
  queryRows<CustomerRow>(
    database,
    `select ${COLUMNS} from customer where seller_id = $1 and id = any ($2)`,
    [sellerId, ids],
  );

export const presentCustomer = ({ created_at, ...row }: CustomerRow): Customer => ({
  ...row,
  created_at: created_at.toISOString(),
});

export interface Buyer {
  seller: PhoneHome & { seller_id: number };
  phone: string;
  full_name: string;
  email: string;
  address: string;
  billing: Partial<BillingDetails> | null;
  created_at: Date;
}

/**
 * Finds a buyer of that seller by phone, or creates one, and locks the row, so that requests
 * for one buyer run one after the other. The profile keeps the latest values.
 */
export async function matchBuyer(database: Database, buyer: Buyer) {
  const { rows } = await database.query<{ id: number; billing: BillingDetails | null }>(
    `insert into customer as known
       (seller_id, phone_key, buyer_phone, full_name, buyer_email, address, billing, created_at)
     values ($1, $2, $3, $4, $5, $6, '{"pan_vat": ""}' || $7::jsonb, $8)
     on conflict (seller_id, phone_key) do update set full_name = excluded.full_name,
       buyer_email = excluded.buyer_email, address = excluded.address,
       billing = coalesce(coalesce(known.billing, '{"pan_vat": ""}') || $7::jsonb, known.billing)
     returning id, billing`,
    [
      buyer.seller.seller_id,
      await findPhoneKey(database, buyer),
      buyer.phone,
      buyer.full_name,
      buyer.email,
      buyer.address,
      buyer.billing,
      buyer.created_at,
    ],
  );
  return rows[0] as { id: number; billing: BillingDetails | null };
}

/**
 * Spec choice, phone numbers: "+977 980-000 0001", "009779800000001" and "9800000001" are one
 * buyer. A buyer who is known under another spelling keeps that spelling's key.
 */
export async function findPhoneKey(
  database: Database,
  { seller, phone }: Pick<Buyer, "seller" | "phone">,
): Promise<string> {
  const keys = phoneSpellings(phone, seller);
  return (await findKnownKey(database, seller, keys)) ?? keys[0] ?? "";
}

/**
 * As `findPhoneKey`, but an unknown number has the same key in every spelling, so that it can be
 * counted.
 */
export async function findCountedKey(
  database: Database,
  { seller, phone }: Pick<Buyer, "seller" | "phone">,
): Promise<string> {
  const keys = phoneSpellings(phone, seller);
  const [shortest = ""] = keys.toSorted((one, other) => one.length - other.length);
  return (await findKnownKey(database, seller, keys)) ?? shortest;
}

const findKnownKey = (database: Database, { seller_id }: Buyer["seller"], keys: string[]) =>
  queryValue<string>(
    database,
    `select phone_key from customer where seller_id = $1 and phone_key = any ($2)
     order by id limit 1`,
    [seller_id, keys],
  );
