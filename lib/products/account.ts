import "server-only";
import type { AccountProduct } from "#contract/account.ts";
import type { Product } from "#contract/products.ts";
import { can, type Role } from "#lib/auth/permissions.ts";
import { findOwnAccount } from "#lib/billing/account.ts";
import type { AccountClient } from "#lib/billing/account-client.ts";
import { openConnection } from "#lib/billing/connection.ts";
import { getCallObserver } from "#lib/billing/observe.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { AppError, failureOf } from "#lib/failure.ts";

/** The account of a seller whose catalogue can be changed here; null for all others. */
export async function findCatalogueAccount(owner: KeyOwner): Promise<AccountClient | null> {
  const opened = await findOwnAccount(owner);
  return opened?.account ?? null;
}

/** Whether a person of this role can change the catalogue here. */
export const canEditCatalogue = async (owner: KeyOwner, role: Role): Promise<boolean> =>
  can(role, "products:write") && (await findCatalogueAccount(owner)) !== null;

/** @throws AppError `not_offered` if the catalogue cannot be changed here */
export async function requireCatalogueAccount(owner: KeyOwner): Promise<AccountClient> {
  const account = await findCatalogueAccount(owner);
  if (!account) throw new AppError({ kind: "not_offered" });
  return account;
}

/** Writes a product, and then its new state into the search index. */
export async function writeProduct(
  owner: KeyOwner,
  write: (account: AccountClient) => Promise<AccountProduct>,
): Promise<AccountProduct> {
  const account = await requireCatalogueAccount(owner);
  const context = await readIndexContext(owner);
  const product = await write(account);
  if (context) {
    const records = [listedProductOf(product)];
    getCallObserver()?.(owner, { kind: "rows", list: "products", records }, context);
  }
  return product;
}

const readIndexContext = (owner: KeyOwner) =>
  openConnection(database(), owner, encryptionKeysOf(env())).then(
    ({ context }) => context ?? null,
    (error: unknown) => {
      if (failureOf(error).kind === "not_connected") return null;
      throw error;
    },
  );

/** A product as the API lists it: with its visible billing periods. */
export const listedProductOf = ({
  version: _version,
  ...product
}: AccountProduct): Product => ({
  ...product,
  plan: product.plan.map(({ billing_periods, ...plan }) => ({
    ...plan,
    billing_periods: billing_periods
      .filter(({ is_current, is_archived }) => is_current && !is_archived)
      .map(({ replaces: _replaces, vat: _vat, ...period }) => period),
  })),
});
