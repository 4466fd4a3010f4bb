import "server-only";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { Customer } from "#contract/customers.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { can } from "#lib/auth/permissions.ts";
import type { Scope } from "#lib/scope.ts";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import {
  findIndexedCustomer,
  listFromApiOrIndex,
  searchCustomers,
} from "#lib/search-index/query/search-records.ts";
import { searchSubscriptionsOf } from "#lib/search-index/query/subscription-query.ts";
import type {
  CustomerList,
  CustomerLookup,
  CustomerNotes,
  ListedCustomer,
  SubscriptionsOf,
} from "./queries.ts";
import { phoneKey } from "#contract/phone-number.ts";
import { readCustomerId, searchOfCustomerLine, type CustomerSearch } from "./search.ts";
import { customerKeys, readTags, readTagsOf } from "#lib/tags/store.ts";
import { readNotes, type NoteReader } from "./note-store.ts";
import type { CountedTag } from "#lib/tags/rules.ts";

/** Whether two texts are spellings of the same phone number in the seller's country. */
const isNumberOf = (seller: SignedIn["seller"], one: string, other: string) =>
  phoneSpellings(phoneKey(one), seller).includes(phoneKey(other)) && phoneKey(other) !== "";

/** The newest rows of a list, as the API sorts it. */
const FIRST_PAGE = { page: 1, page_size: MAX_PAGE_SIZE };

/** @param text the search text, which may contain `tag:` with a name; empty for none */
export async function listCustomers(
  scope: Scope,
  search: CustomerSearch,
  text: string,
): Promise<CustomerList> {
  const { billing, owner } = await requireSeller(scope, "customers:read");
  const asked = searchOfCustomerLine(search, text);
  const { page: _page, ...answer } = await listFromApiOrIndex({
    isSupportedByApi: asked.words === "" && asked.search.tag === null,
    readApi: () => billing.listCustomers(search),
    readIndex: (pool) => searchCustomers(pool, owner, asked.words, asked.search),
  });
  const phones = answer.results.map(({ buyer_phone }) => buyer_phone);
  const tagsOf = await readTagsOf(database(), owner, phones);
  const results = answer.results.map((customer): ListedCustomer => {
    const tags = tagsOf(customer.buyer_phone);
    return tags.length > 0 ? { ...customer, tags } : customer;
  });
  return { ...answer, results };
}

/** Reads one customer. @throws AppError `not_found`, also for an invalid id */
export async function getCustomer(scope: Scope, id: string): Promise<Customer> {
  const { billing } = await requireSeller(scope, "customers:read");
  const number = readCustomerId(id);
  if (number === null) throw new AppError({ kind: "not_found" });
  return billing.getCustomer(number);
}

export const noteReaderOf = ({ owner, user, role }: SignedIn): NoteReader => ({
  ...owner,
  person_id: user.id,
  may_remove_all: can(role, "views:share"),
});

/** A customer's tags and notes, with all tags of the seller to choose from. */
export async function getCustomerNotes(scope: Scope, id: string): Promise<CustomerNotes> {
  const signedIn = await requireSeller(scope, "customers:read");
  const { owner, seller } = signedIn;
  const { buyer_phone } = await getCustomer(scope, id);
  const keys = customerKeys(buyer_phone, seller);
  const [tagsOf, notes, all] = await Promise.all([
    readTagsOf(database(), owner, [buyer_phone]),
    readNotes(database(), noteReaderOf(signedIn), keys),
    readTags(database(), owner),
  ]);
  const has_phone = keys.length > 0;
  return { has_phone, tags: tagsOf(buyer_phone), notes, known: all.map(({ name }) => name) };
}

/** The seller's tags with the number of customers of each. */
export async function listTags(scope: Scope): Promise<CountedTag[]> {
  const { owner } = await requireSeller(scope, "customers:read");
  return readTags(database(), owner);
}

/**
 * Finds a customer by phone in the index, else among the API's newest customers: the API has no
 * phone filter.
 */
export async function findCustomerByPhone(
  scope: Scope,
  phone: string,
): Promise<CustomerLookup> {
  return lookUp(await requireSeller(scope, "customers:read"), phone);
}

async function lookUp(
  { billing, owner, seller }: Pick<SignedIn, "billing" | "owner" | "seller">,
  phone: string,
): Promise<CustomerLookup> {
  if (phoneKey(phone) === "") return { customer: null, newest: null };
  const indexed = await readFromReplica((pool) =>
    findIndexedCustomer(pool, owner, phone, seller),
  );
  if (indexed?.customer) return { customer: indexed.customer, newest: null };
  // A customer whom the index does not have yet is among the newest.
  const { results, next } = await billing.listCustomers(FIRST_PAGE);
  const customer =
    results.find(({ buyer_phone }) => isNumberOf(seller, phone, buyer_phone)) ?? null;
  return { customer, newest: indexed || next === null ? null : results.length };
}

/** Finds the customer of a subscription by phone, because the record has no customer id. */
export async function findCustomerOf(
  scope: Scope,
  subscription_id: string,
): Promise<CustomerLookup> {
  const signedIn = await requireSeller(scope, "customers:read");
  const { client } = await signedIn.billing.getSubscription(subscription_id);
  return lookUp(signedIn, client.phone);
}

/**
 * Finds subscriptions by the customer's phone. While the index fills, only the API's newest are
 * searched.
 */
export async function listSubscriptionsOf(
  scope: Scope,
  id: string,
  page: number,
): Promise<SubscriptionsOf> {
  const { billing, owner, seller } = await requireSeller(scope, "subscriptions:read");
  const paging = { page, page_size: MAX_PAGE_SIZE };
  const { page: _page, ...answer } = await listFromApiOrIndex({
    isSupportedByApi: false,
    // The subscriptions of a customer whom the index does not have yet are new as well.
    readApi: async () => {
      const [{ buyer_phone }, newest] = await Promise.all([
        getCustomer(scope, id),
        billing.listSubscriptions({ status: null, ...FIRST_PAGE }),
      ]);
      const results = newest.results.filter(({ client }) =>
        isNumberOf(seller, buyer_phone, client.phone),
      );
      return { results, count: results.length, next: null };
    },
    readIndex: (pool) => searchSubscriptionsOf(pool, owner, id, paging, seller),
  });
  return answer;
}
