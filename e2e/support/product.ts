import { join } from "node:path";
import { ROOT } from "#scripts/process/settings.ts";

/** A whole Duebook that runs for the journeys. */
export interface Product {
  url: string;
  billingUrl: string;
  dataDirectory: string;
}

/** While writing a journey: DUEBOOK_URL, BILLING_URL and DUEBOOK_DATA_DIR of a product that runs already. */
export function runningProduct(): Product | null {
  const { DUEBOOK_URL: url, BILLING_URL, DUEBOOK_DATA_DIR } = process.env;
  if (!url) return null;
  const dataDirectory = DUEBOOK_DATA_DIR ?? join(ROOT, ".data");
  return { url, billingUrl: BILLING_URL ?? "", dataDirectory };
}

export function handOut(products: Product[]): void {
  process.env["DUEBOOK_PRODUCTS"] = JSON.stringify(products);
}

/** This worker's own: journeys that run at the same time share no seller and no clock. */
export function product(): Product {
  const products = JSON.parse(process.env["DUEBOOK_PRODUCTS"] ?? "[]") as Product[];
  const own = runningProduct() ?? products[Number(process.env["TEST_PARALLEL_INDEX"] ?? 0)];
  if (!own) throw new Error("there is no product: the global setup has not run");
  return own;
}
