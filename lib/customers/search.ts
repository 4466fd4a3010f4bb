import type { Customer } from "#contract/customers.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { holdsWords } from "#lib/text/fold-text.ts";
import { PAGE_SIZES, PAGING_FIELDS, type Paging } from "#lib/paging.ts";
import { defineSearch } from "#lib/search-params.ts";
import { isPhoneLike, nationalDigits } from "#lib/text/phone.ts";
import { soundKey } from "#lib/text/romanize.ts";

export { PAGE_SIZES };

export type CustomerSearch = Paging;
export const { parse: parseCustomerSearch, toQuery: customerQueryString } =
  defineSearch(PAGING_FIELDS);

export function customersPath(scope: Scope, search: Partial<CustomerSearch> = {}): string {
  return scopePath(scope, `/customers${customerQueryString(search)}`);
}

export function customerPath(scope: Scope, { id }: { id: number | string }): string {
  return scopePath(scope, `/customers/${id}`);
}

/**
 * Those whose phone holds the digits, or whose name or email holds every word; behind them those
 * whose name only sounds so, in either script.
 */
export function searchCustomers(customers: Customer[], q: string): Customer[] {
  const digits = isPhoneLike(q) ? nationalDigits(q) : "";
  if (digits)
    return customers.filter(({ buyer_phone }) => nationalDigits(buyer_phone).includes(digits));
  const spelled = customers.filter(({ full_name, buyer_email }) =>
    holdsWords(`${full_name}\n${buyer_email}`, q.trim()),
  );
  const sounds = soundKey(q).split(" ");
  if (sounds.some((sound) => sound.length < FEWEST_SOUNDS)) return spelled;
  const isSpelled = new Set(spelled);
  const heard = customers.filter(
    (customer) =>
      !isSpelled.has(customer) &&
      sounds.every((sound) => soundOf(customer).includes(` ${sound}`)),
  );
  return [...spelled, ...heard];
}

/** One consonant begins too many names. */
const FEWEST_SOUNDS = 2;

/** Kept, because the same customers are searched with each letter. */
const heardNames = new WeakMap<Customer, string>();

function soundOf(customer: Customer): string {
  const known = heardNames.get(customer) ?? ` ${soundKey(customer.full_name)}`;
  heardNames.set(customer, known);
  return known;
}

/** An id out of an address; null when no customer can have it. */
export function readCustomerId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : null;
}
