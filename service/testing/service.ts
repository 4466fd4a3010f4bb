import { randomUUID } from "node:crypto";
import type { InjectOptions, LightMyRequestResponse } from "fastify";
import type pg from "pg";
import { buildApp } from "../app.ts";
import type { PaymentOptions } from "../checkout/provider.ts";
import type { ServiceContext } from "../context.ts";
import { openPool } from "../db/database.ts";
import {
  insertCatalogue,
  type CataloguePeriod,
  type CatalogueProduct,
} from "../products/catalogue.ts";
import { issueKey } from "../sellers/key-store.ts";
import { insertSeller, type NewSeller, type Seller } from "../sellers/store.ts";

/** A clock that moves only when a test moves it. */
export class TestClock {
  private at: number;
  constructor(start: string) {
    this.at = Date.parse(start);
  }
  readonly now = () => new Date(this.at);
  advance(milliseconds: number) {
    this.at += milliseconds;
  }
  set(moment: string) {
    this.at = Date.parse(moment);
  }
}

export interface TestSeller extends Seller {
  key: string;
}

export interface TestRequest {
  method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  url: string;
  headers?: Record<string, string>;
  payload?: object | string;
}

export type TestResponse = Pick<
  LightMyRequestResponse,
  "statusCode" | "headers" | "body" | "json"
>;

/** A service as sellers and buyers reach it, in this process or in others, with its database. */
export interface ServiceClient {
  pool: pg.Pool;
  /** The service's real clock; a seller's can be ahead of it. */
  clock: { now: () => Date };
  createSeller: (changes?: Partial<NewSeller>) => Promise<TestSeller>;
  call: (seller: TestSeller | null, request: TestRequest) => Promise<TestResponse>;
}

/** The time at which tests start: a Tuesday, 11:45 in Kathmandu. */
export const TEST_START = "2026-03-10T06:00:00Z";
export const TEST_ACCOUNTS_TOKEN = "installation-token-of-the-tests-0";
export const TEST_OPERATOR_TOKEN = "operator-token-of-the-tests-00000";
export const TEST_SECRETS_KEY = Buffer.alloc(32, "key of the tests");

/** The parts of the service's context that a test can choose. */
export type TestOptions = Pick<PaymentOptions, "providers">;

/** The whole service over one database, called without a port. */
export async function startTestService(
  databaseUrl: string,
  mode: "test" | "live" = "test",
  options: TestOptions = {},
) {
  const pool = openPool(databaseUrl);
  const clock = new TestClock(TEST_START);
  const context: ServiceContext = {
    pool,
    now: clock.now,
    mode,
    privateTargets: true,
    publicUrl: "http://billing.test",
    secretsKey: TEST_SECRETS_KEY,
    accountsToken: TEST_ACCOUNTS_TOKEN,
    operatorToken: TEST_OPERATOR_TOKEN,
    ...options,
  };
  const app = await buildApp(context);
  return {
    app,
    context,
    databaseUrl,
    pool,
    clock,
    createSeller: (changes: Partial<NewSeller> = {}) => createSeller(pool, mode, changes),
    call: (seller: TestSeller | null, request: InjectOptions) =>
      app.inject({
        ...request,
        headers: {
          ...(seller ? { authorization: `Bearer ${seller.key}` } : {}),
          ...request.headers,
        },
      }),
    close: async () => {
      await app.close();
      await pool.end();
    },
  };
}

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Each test gets a seller of its own, so none sees another's rows. */
export async function createSeller(
  pool: pg.Pool,
  mode: "test" | "live",
  changes: Partial<NewSeller>,
): Promise<TestSeller> {
  const created_at = new Date("2026-01-01T00:00:00Z");
  const seller = await insertSeller(pool, {
    name: `Seller ${randomUUID()}`,
    kyc_verified: true,
    api_usage_type: "reminder_and_payment",
    time_zone: "Asia/Kathmandu",
    grace_days: 7,
    created_at,
    ...changes,
  });
  const key = await issueKey(pool, { seller_id: seller.seller_id, mode, created_at });
  return { ...seller, key };
}

/** The seller with an account token of its own in place of the API key. */
export async function withAccountToken(
  { pool, clock }: Pick<ServiceClient, "pool" | "clock">,
  seller: TestSeller,
  mode: "test" | "live" = "test",
): Promise<TestSeller> {
  const { seller_id } = seller;
  const created_at = clock.now();
  const key = await issueKey(pool, { kind: "account_token", seller_id, mode, created_at });
  return { ...seller, key };
}

/**
 * One product with two plans.
 * @returns the ids of its periods, by name
 */
export async function createCatalogue(
  { pool, clock }: Pick<ServiceClient, "pool" | "clock">,
  seller: Seller,
) {
  const id = randomUUID().slice(0, 8);
  const named = (name: string, changes: Partial<CataloguePeriod>): CataloguePeriod => ({
    pbp_id: `${name}-${id}`,
    interval_type: "month",
    interval_count: 1,
    label: name,
    price: "1000.00",
    currency: "NPR",
    offers: [],
    ...changes,
  });
  const product: CatalogueProduct = {
    name: "Milk",
    description: "",
    terms_and_conditions: "",
    features_and_benefits: "",
    vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: "13" },
    images: [],
    plans: [
      {
        plan_name: "Daily litre",
        description: "",
        billing_periods: [
          named("monthly", { label: "Monthly" }),
          named("yearly", { interval_type: "year", price: "10000.00" }),
          named("archived", { is_archived: true }),
          named("once", { interval_type: "one_time" }),
        ],
      },
      {
        plan_name: "Daily half litre",
        description: "",
        billing_periods: [
          named("weekly", { interval_type: "week" }),
          named("days", { interval_type: "day", interval_count: 10 }),
        ],
      },
    ],
  };
  await insertCatalogue(pool, seller.seller_id, [product], clock.now());
  return {
    monthly: `monthly-${id}`,
    yearly: `yearly-${id}`,
    archived: `archived-${id}`,
    once: `once-${id}`,
    weekly: `weekly-${id}`,
    days: `days-${id}`,
  };
}

export const testBuyer = (changes: Record<string, unknown> = {}) => ({
  phone: "9800000001",
  full_name: "Asmita Rai",
  email: "asmita@example.com",
  address: "Patan, Lalitpur",
  ...changes,
});
