import assert from "node:assert/strict";
import { createPaymentWorker } from "../../checkout/charges/worker.ts";
import { paymentContext } from "../../checkout/provider.ts";
import { encryptSecret } from "../../webhooks/secret.ts";
import { advanceLifecycle } from "../advance.ts";
import { postForm } from "../checkout-forms.ts";
import { dyingPool } from "../dying-pool.ts";
import { SellerApi } from "../seller-api.ts";
import {
  TEST_SECRETS_KEY,
  withAccountToken,
  type ServiceClient,
  type TestSeller,
  type TestService,
} from "../service.ts";
import { PROVIDERS, ProviderBooks, type PaymentSimulators } from "./books.ts";

/** A seller with an account at each simulated provider, and the links of two subscriptions. */
export class PaymentScene {
  readonly service: TestService;
  readonly api: SellerApi;
  readonly books: ProviderBooks;
  /** Keys of the accounts, in the URLs for notices. */
  readonly keys = new Map<string, string>();
  private readonly owner: TestSeller;
  subscriptions: string[] = [];
  private requests = 0;

  private constructor(
    service: TestService,
    { api, owner, books }: { api: SellerApi; owner: TestSeller; books: ProviderBooks },
  ) {
    this.service = service;
    this.api = api;
    this.owner = owner;
    this.books = books;
  }

  static async open(
    service: TestService,
    simulators: PaymentSimulators,
  ): Promise<PaymentScene> {
    const api = await SellerApi.open(service);
    const owner = await withAccountToken(service, api.seller);
    const scene = new PaymentScene(service, {
      api,
      owner,
      books: new ProviderBooks(simulators),
    });
    await scene.setUp();
    return scene;
  }

  private async setUp() {
    const { service, api } = this;
    for (const [provider, key] of await addSimulatedAccounts(service, api.seller, this.books))
      this.keys.set(provider, key);
    const monthly = await api.create(api.periods.monthly);
    const once = await api.create(api.periods.once, { phone: "9800000002" });
    this.subscriptions = [monthly, once].map(({ subscription_id }) => subscription_id);
    this.advance(0);
  }

  /** Runs the workers of a process until nothing is due; with `killedAt`, until it is killed. */
  async work(killedAt: number | null) {
    const { service, api } = this;
    await advanceLifecycle(service.pool, api.seller, service.clock.now());
    const payments = killedAt === null ? paymentContext(service.context) : this.dying(killedAt);
    const worker = createPaymentWorker({
      payments,
      onError: (error) => killedAt !== null || throwOurs(error),
    });
    await ofKilled(worker.sweep());
    await ofKilled(worker.askDue());
    await worker.close();
  }

  /** The payment context of a process that is killed before one of its statements. */
  dying(statements: number) {
    const { context, pool } = this.service;
    return paymentContext({ ...context, pool: dyingPool(pool, statements) });
  }

  advance(milliseconds: number) {
    this.service.clock.advance(milliseconds);
    this.books.setClock(this.service.clock.now());
  }

  get = (url: string) => this.call({ method: "GET", url });

  post = (url: string, fields: Record<string, string>) =>
    postForm({ call: (_, request) => this.call(request) }, url, fields);

  /** Sends each request from another network, because one network's requests are limited. */
  async call(request: Parameters<TestService["call"]>[1]) {
    this.requests += 1;
    const remoteAddress = `10.${this.requests >> 16}.${(this.requests >> 8) & 255}.${this.requests & 255}`;
    const answer = await this.service.call(null, { ...request, remoteAddress });
    assert.ok(answer.statusCode < 500, answer.body);
    return answer;
  }

  account = (method: "POST", path: string, payload: object) =>
    this.service.call(this.owner, { method, url: `/account/v1/${path}`, payload });
}

/** An account at each simulator. @returns the part of its addresses for notices, by provider */
export const addSimulatedAccounts = (
  { pool, clock }: Pick<ServiceClient, "pool" | "clock">,
  { seller_id }: TestSeller,
  { simulators }: ProviderBooks,
) =>
  Promise.all(
    PROVIDERS.map(async (provider, position) => {
      const settings = JSON.stringify(simulators.providers[provider].settings);
      const { rows } = await pool.query<{ account_key: string }>(
        `insert into payment_account (seller_id, mode, provider, sealed_settings, position, created_at)
         values ($1, 'test', $2, $3, $4, $5) returning account_key`,
        [
          seller_id,
          provider,
          encryptSecret(TEST_SECRETS_KEY, seller_id, settings),
          position,
          clock.now(),
        ],
      );
      return [provider, rows[0]?.account_key ?? ""] as const;
    }),
  );

const KILLED = /^killed$/;
const isKilled = (error: unknown) => error instanceof Error && KILLED.test(error.message);

/** Throws all errors but providers' faults and kills, which are expected. */
export function throwOurs(error: unknown) {
  if (!isKilled(error) && (error as Error).name !== "ProviderFault") throw error;
}

export const ofKilled = (work: Promise<unknown>) => work.catch(throwOurs);
