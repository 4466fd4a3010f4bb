import "server-only";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { findOwnAccount, findPaymentClient } from "#lib/billing/account.ts";
import { DeliveryClient } from "#lib/billing/delivery-client.ts";
import { pathSegment } from "#lib/billing/transport.ts";
import { AppError } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import {
  printRawJson,
  type RawJson,
  rawField,
  rawText,
  readRawJson,
} from "#lib/text/raw-json.ts";
import type { RawKind, RawRecord } from "./queries.ts";

interface RawParameters {
  kind: RawKind;
  /** The record's id; of a payment its reference. */
  id: string;
  /** The subscription of a payment. */
  subscription_id: string;
}

/** A record as the service sends it, without values of keys and secrets. @throws AppError */
export async function getRawRecord(scope: Scope, asked: RawParameters): Promise<RawRecord> {
  const signedIn = await requireSeller(scope, "webhooks:read");
  return { text: printRawJson(await readRecord(signedIn, asked)) };
}

async function readRecord(
  { billing, owner }: SignedIn,
  { kind, id, subscription_id }: RawParameters,
): Promise<RawJson> {
  switch (kind) {
    case "subscription":
      return parse(await billing.readRaw(`subscriptions/${pathSegment(id)}`));
    case "customer":
      return parse(await billing.readRaw(`customers/${pathSegment(id)}`));
    case "delivery":
      return parse(await new DeliveryClient(billing).readRawDelivery(id));
    case "product":
      return readProduct({ billing, owner }, pathSegment(id));
    case "payment": {
      const client = await findPaymentClient(owner);
      if (!client) throw new AppError({ kind: "not_offered" });
      const page = parse(
        await client.readRawPayments(pathSegment(subscription_id), pathSegment(id)),
      );
      return required(rowWith(page, "reference", id));
    }
  }
}

/** The most pages of products that are searched. */
const MOST_PAGES = 20;

/**
 * The billing API cannot read a single product, and lists only products on sale; the account API
 * has all of them.
 */
async function readProduct(
  { billing, owner }: Pick<SignedIn, "billing" | "owner">,
  id: string,
): Promise<RawJson> {
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const json = parse(await billing.readRaw("products", { page, page_size: MAX_PAGE_SIZE }));
    const product = rowWith(json, "product_id", id);
    if (product) return product;
    if (rawText(rawField(json, "next")) === "null") break;
  }
  const own = await findOwnAccount(owner);
  if (!own) throw new AppError({ kind: "not_found" });
  return parse(await own.account.readRawProduct(id));
}

function rowWith(page: RawJson, name: string, value: string): RawJson | undefined {
  const rows = rawField(page, "results");
  return rows?.kind === "list"
    ? rows.items.find((row) => rawText(rawField(row, name)) === value)
    : undefined;
}

function required(row: RawJson | undefined): RawJson {
  if (!row) throw new AppError({ kind: "not_found" });
  return row;
}

function parse(text: string): RawJson {
  try {
    return readRawJson(text);
  } catch (cause) {
    const failure = { kind: "unavailable", outcome_unknown: false, why: "failing" } as const;
    throw new AppError(failure, { cause });
  }
}
