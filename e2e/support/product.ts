import { join } from "node:path";
import { ROOT } from "#scripts/process/settings.ts";

/** The running product that the tests use. */
export interface Product {
  url: string;
  billingUrl: string;
  dataDirectory: string;
}

/** A product that is already running, from DUEBOOK_URL, BILLING_URL and DUEBOOK_DATA_DIR. */
export function runningProduct(): Product | null {
  const { DUEBOOK_URL: url, BILLING_URL, DUEBOOK_DATA_DIR } = process.env;
  if (!url) return null;
  const dataDirectory = DUEBOOK_DATA_DIR ?? join(ROOT, ".data");
  return { url, billingUrl: BILLING_URL ?? "", dataDirectory };
}

export function publishProducts(products: Product[]): void {
  process.env["DUEBOOK_PRODUCTS"] = JSON.stringify(products);
}

/**
 * The product that is already running, or else this worker's own: parallel tests then share no seller
 * and no clock.
 */
export function productOfWorker(): Product {
  const products = JSON.parse(process.env["DUEBOOK_PRODUCTS"] ?? "[]") as Product[];
  const own = runningProduct() ?? products[Number(process.env["TEST_PARALLEL_INDEX"] ?? 0)];
  if (!own) throw new Error("there is no product: the global setup has not run");
  return own;
}
