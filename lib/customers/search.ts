import type { Customer } from "#contract/customers.ts";
import { scopePath, type Scope } from "#lib/auth/scope.ts";
import { holdsWords } from "#lib/fold-text.ts";
import { appendPaging, PAGE_SIZES, type Paging } from "#lib/paging.ts";
import { isPhoneLike, nationalDigits } from "#lib/phone.ts";

export { PAGE_SIZES };
export { parsePaging as parseCustomerSearch } from "#lib/paging.ts";

export type CustomerSearch = Paging;

export function customerQueryString(search: Partial<CustomerSearch>): string {
  const parameters = new URLSearchParams();
  appendPaging(parameters, search);
  const text = parameters.toString();
  return text && `?${text}`;
}

export function customersPath(scope: Scope, search: Partial<CustomerSearch> = {}): string {
  return scopePath(scope, `/customers${customerQueryString(search)}`);
}

export function customerPath(scope: Scope, { id }: { id: number | string }): string {
  return scopePath(scope, `/customers/${id}`);
}

/** Those whose name or email holds every word, or whose phone holds the digits. */
export function searchCustomers(customers: Customer[], q: string): Customer[] {
  const digits = isPhoneLike(q) ? nationalDigits(q) : "";
  if (digits)
    return customers.filter(({ buyer_phone }) => nationalDigits(buyer_phone).includes(digits));
  return customers.filter(({ full_name, buyer_email }) =>
    holdsWords(`${full_name}\n${buyer_email}`, q.trim()),
  );
}

/** An id out of an address; null when no customer can have it. */
export function readCustomerId(text: string): number | null {
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text))
    ? Number(text)
    : null;
}
