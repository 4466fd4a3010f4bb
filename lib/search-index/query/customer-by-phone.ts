import "server-only";
import type pg from "pg";
import type { Customer } from "#contract/customers.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { phoneKey } from "#lib/text/phone.ts";
import { readIndexStatus } from "./index-status.ts";
import { findRows } from "./find-rows.ts";

/**
 * The newest customer with this phone number in any spelling, or that there is none; null while the
 * index cannot tell.
 */
export async function findIndexedCustomer(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  phone: string,
): Promise<{ customer: Customer | null } | null> {
  const copy = await readIndexStatus(pool, owner);
  if (copy.state !== "ready") return null;
  const { results } = await findRows<Customer>(pool, owner, {
    list: "customers",
    conditions: [(bind) => `phone_key = ${bind(phoneKey(phone))} and phone_key <> ''`],
    terms: [],
    order: null,
    paging: { page: 1, page_size: 1 },
  });
  return { customer: results[0] ?? null };
}
