import { issueSellerKey, listSellerKeys, revokeSellerKey } from "./keys.ts";
import { addProduct, archiveBillingPeriod, changeProduct } from "./products.ts";
import { registerPurchase } from "./purchases.ts";
import { rotateKey } from "./secrets-key.ts";
import { seed } from "./seed.ts";
import { createSeller, listSellers, setSeller, verifySeller } from "./sellers.ts";

export const COMMANDS = [
  createSeller,
  verifySeller,
  setSeller,
  listSellers,
  issueSellerKey,
  listSellerKeys,
  revokeSellerKey,
  addProduct,
  changeProduct,
  archiveBillingPeriod,
  registerPurchase,
  rotateKey,
  seed,
];
