import "server-only";
import type { Customer } from "#contract/customers.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { AppError } from "#lib/failure.ts";
import { extentOf, scanListPages } from "#lib/billing/scan-pages.ts";
import { readMuch } from "#lib/db/replica.ts";
import { findIndexedCustomer } from "#lib/search-index/query/customer-by-phone.ts";
import { listFrom, searchCustomers } from "#lib/search-index/query/search-records.ts";
import type { CustomerList, CustomerLookup, FoundSubscriptions } from "./queries.ts";
import { isSamePhone, phoneKey } from "#lib/text/phone.ts";
import { readCustomerId, type CustomerSearch } from "./search.ts";

const MOST_PAGES = 20;
/** Of subscriptions, in one stretch. */
const PAGES_AT_ONCE = 10;

/** @param text what is searched for, if anything */
export async function listCustomers(
  scope: Scope,
  search: CustomerSearch,
  text: string,
): Promise<CustomerList> {
  const { billing, owner } = await requireSeller(scope, "customers:read");
  const { page: _page, ...answer } = await listFrom({
    isSupportedByApi: text === "",
    readApi: () => billing.listCustomers(search),
    readIndex: (pool) => searchCustomers(pool, owner, text, search),
  });
  return answer;
}

/** @throws AppError `not_found` also for an id that no customer can have. */
export async function getCustomer(scope: Scope, id: string): Promise<Customer> {
  const { billing } = await requireSeller(scope, "customers:read");
  const number = readCustomerId(id);
  if (number === null) throw new AppError({ kind: "not_found" });
  return billing.getCustomer(number);
}

/** Out of the copy, or out of the list, newest first and so far: the service finds nobody by phone. */
export async function findCustomerByPhone(
  scope: Scope,
  phone: string,
): Promise<CustomerLookup> {
  return lookUp(await requireSeller(scope, "customers:read"), phone);
}

async function lookUp(
  { billing, owner }: Pick<SignedIn, "billing" | "owner">,
  phone: string,
): Promise<CustomerLookup> {
  if (phoneKey(phone) === "")
    return { customer: null, searched: 0, total: null, is_complete: true };
  const copied = await readMuch((pool) => findIndexedCustomer(pool, owner, phone));
  if (copied?.customer)
    return { customer: copied.customer, searched: 1, total: null, is_complete: true };
  const isIt = (customer: Customer) => isSamePhone(customer.buyer_phone, phone);
  const scan = await scanListPages((page) => billing.listCustomers(page), {
    // Whom the copy does not have yet is among the newest.
    most: copied ? 1 : MOST_PAGES,
    isEnough: isIt,
  });
  const customer = scan.rows.find(isIt) ?? null;
  const extent = extentOf(scan);
  return copied
    ? { ...searched, customer, searched: scan.total ?? searched.searched, is_complete: true }
    : { ...searched, customer };
}

/** Whose subscription it is: the record names no customer, its phone ties them. */
export async function findCustomerOf(
  scope: Scope,
  subscription_id: string,
): Promise<CustomerLookup> {
  const signedIn = await requireSeller(scope, "customers:read");
  const { client } = await signedIn.billing.getSubscription(subscription_id);
  return lookUp(signedIn, client.phone);
}

/**
 * The customer's subscriptions in one stretch of the list: the service filters by status only.
 * @param from the page, of 100, at which the stretch begins
 */
export async function listSubscriptionsOf(
  scope: Scope,
  id: string,
  from: number,
): Promise<FoundSubscriptions> {
  const { billing } = await requireSeller(scope, "subscriptions:read");
  const { buyer_phone } = await getCustomer(scope, id);
  const { rows, total, next_page } = await scanListPages(
    (page) => billing.listSubscriptions({ ...page, status: null }),
    { from, most: PAGES_AT_ONCE },
  );
  const subscriptions = rows.filter(({ client }) => isSamePhone(client.phone, buyer_phone));
  return { subscriptions, searched: rows.length, total, next_page };
}
