import "server-only";
import type pg from "pg";
import type { Customer } from "#contract/customers.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { phoneKey } from "#lib/text/phone.ts";
import { searchIndex } from "./search-records.ts";

/**
 * The newest customer with this phone number in any spelling, or that there is none; null while the
 * index cannot tell.
 */
export async function findIndexedCustomer(
  pool: Pick<pg.Pool, "query" | "connect">,
  owner: KeyOwner,
  phone: string,
): Promise<{ customer: Customer | null } | null> {
  const answer = await searchIndex<Customer>(pool, owner, {
    list: "customers",
    conditions: [(bind) => `phone_key = ${bind(phoneKey(phone))} and phone_key <> ''`],
    terms: [],
    order: null,
    paging: { page: 1, page_size: 1 },
  });
  return answer.state === "ready" ? { customer: answer.results[0] ?? null } : null;
}
