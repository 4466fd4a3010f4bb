import type { Customer } from "#contract/customers.ts";
import type { CustomerRow } from "./store.ts";

export const presentCustomer = ({ created_at, ...row }: CustomerRow): Customer => ({
  ...row,
  created_at: created_at.toISOString(),
});
