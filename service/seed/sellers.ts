import type { Seller } from "../sellers/store.ts";

const DEMONSTRATION_SELLER = "Phewa Home Services";

type KeyPlan = { mode: "own" | "other"; isActive: boolean };
const ACTIVE: KeyPlan = { mode: "own", isActive: true };
const REVOKED: KeyPlan = { mode: "own", isActive: false };
const OF_THE_OTHER_MODE: KeyPlan = { mode: "other", isActive: true };

export interface SeedSeller extends Pick<Seller, "name" | "kyc_verified" | "api_usage_type"> {
  /** Before each `pbp_id`, so that sellers do not collide. */
  prefix: string;
  /** Indexes of the products it sells; null for all, with the branch products. */
  products: string[] | null;
  keys: KeyPlan[];
}

/** The main seller first; each of the others demonstrates one kind of account. */
export const SEED_SELLERS: SeedSeller[] = [
  {
    name: DEMONSTRATION_SELLER,
    kyc_verified: true,
    api_usage_type: "payment",
    prefix: "",
    products: null,
    keys: [ACTIVE, OF_THE_OTHER_MODE, REVOKED],
  },
  {
    name: "Bagmati Wellness",
    kyc_verified: true,
    api_usage_type: "payment",
    prefix: "bagmati_",
    products: ["Morning Yoga Studio", "Drinking Water Jars"],
    keys: [ACTIVE],
  },
  {
    name: "Himal Fibre",
    kyc_verified: false,
    api_usage_type: "payment",
    prefix: "himal_",
    products: ["Ghar Fibre Internet", "Router installation"],
    keys: [ACTIVE],
  },
  {
    name: "Lumbini Yoga",
    kyc_verified: true,
    api_usage_type: "payment",
    prefix: "lumbini_",
    products: ["Morning Yoga Studio"],
    keys: [REVOKED],
  },
  {
    name: "Karnali Dairy",
    kyc_verified: true,
    api_usage_type: null,
    prefix: "karnali_",
    products: ["Fresh Milk at the Door"],
    keys: [ACTIVE],
  },
  {
    name: "Mechi Water",
    kyc_verified: true,
    api_usage_type: "reminder_and_payment",
    prefix: "mechi_",
    products: ["Drinking Water Jars"],
    keys: [ACTIVE],
  },
];
