import type { Seller } from "../sellers/store.ts";

type KeyPlan = { mode: "own" | "other"; isActive: boolean };
export const ACTIVE_KEY: KeyPlan = { mode: "own", isActive: true };
const REVOKED: KeyPlan = { mode: "own", isActive: false };
const OF_THE_OTHER_MODE: KeyPlan = { mode: "other", isActive: true };

const VERIFIED = { kyc_verified: true, api_usage_type: "payment" } as const;

export interface SeedSeller extends Pick<Seller, "name" | "kyc_verified" | "api_usage_type"> {
  /** The beginning of each `pbp_id`, so that sellers do not collide. */
  prefix: string;
  /** Names of the products it sells; null for all, with the branch products. */
  products: string[] | null;
  keys: KeyPlan[];
}

/** The main seller first; each of the others demonstrates one kind of account. */
export const SEED_SELLERS: SeedSeller[] = [
  {
    ...VERIFIED,
    name: "Phewa Home Services",
    prefix: "",
    products: null,
    keys: [ACTIVE_KEY, OF_THE_OTHER_MODE, REVOKED],
  },
  {
    ...VERIFIED,
    name: "Bagmati Wellness",
    prefix: "bagmati_",
    products: ["Morning Yoga Studio", "Drinking Water Jars"],
    keys: [ACTIVE_KEY],
  },
  {
    ...VERIFIED,
    name: "Himal Fibre",
    kyc_verified: false,
    prefix: "himal_",
    products: ["Ghar Fibre Internet", "Router installation"],
    keys: [ACTIVE_KEY],
  },
  {
    ...VERIFIED,
    name: "Lumbini Yoga",
    prefix: "lumbini_",
    products: ["Morning Yoga Studio"],
    keys: [REVOKED],
  },
  {
    ...VERIFIED,
    name: "Karnali Dairy",
    api_usage_type: null,
    prefix: "karnali_",
    products: ["Fresh Milk at the Door"],
    keys: [ACTIVE_KEY],
  },
  {
    ...VERIFIED,
    name: "Mechi Water",
    api_usage_type: "reminder_and_payment",
    prefix: "mechi_",
    products: ["Drinking Water Jars"],
    keys: [ACTIVE_KEY],
  },
];
