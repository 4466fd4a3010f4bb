import assert from "node:assert/strict";
import { AccountProduct } from "#contract/account.ts";
import { issueKey } from "../sellers/key-store.ts";
import {
  createSeller,
  type TestRequest,
  type TestSeller,
  type TestService,
} from "./service.ts";

export const CATALOGUE_URL = "/account/v1/products/";

export const monthlyInput = {
  interval_type: "month",
  interval_count: 1,
  label: "Monthly",
  price: "1000.00",
};
export const milkInput = {
  name: "Milk",
  plans: [{ plan_name: "One litre", billing_periods: [monthlyInput] }],
};

/** A seller who changes the catalogue, with a key that may also create subscriptions. */
export class CatalogueApi {
  readonly seller: TestSeller;
  private readonly service: TestService;

  private constructor(service: TestService, seller: TestSeller) {
    this.service = service;
    this.seller = seller;
  }

  static async open(service: TestService, seller?: TestSeller): Promise<CatalogueApi> {
    const owner = seller ?? (await createSeller(service.pool, "test", {}));
    const key = await issueKey(service.pool, {
      seller_id: owner.seller_id,
      mode: "test",
      created_at: service.clock.now(),
      scopes: ["read", "write", "account"],
    });
    return new CatalogueApi(service, { ...owner, key });
  }

  call(request: TestRequest) {
    return this.service.call(this.seller, request);
  }

  add(payload: object) {
    return this.call({ method: "POST", url: CATALOGUE_URL, payload });
  }

  change({ product_id, version }: AccountProduct, payload: object) {
    const url = `${CATALOGUE_URL}${product_id}/`;
    return this.call({ method: "PATCH", url, payload: { version, ...payload } });
  }

  async added(payload: object = milkInput): Promise<AccountProduct> {
    const answer = await this.add(payload);
    assert.equal(answer.statusCode, 201, answer.body);
    return AccountProduct.parse(answer.json());
  }

  async changed(product: AccountProduct, payload: object): Promise<AccountProduct> {
    const answer = await this.change(product, payload);
    assert.equal(answer.statusCode, 200, answer.body);
    return AccountProduct.parse(answer.json());
  }

  async read({ product_id }: AccountProduct): Promise<AccountProduct> {
    const answer = await this.call({ url: `${CATALOGUE_URL}${product_id}/` });
    return AccountProduct.parse(answer.json());
  }
}

export function planOf({ plan: plans }: AccountProduct, index = 0) {
  const plan = plans[index];
  if (!plan) throw new Error("the product has no such plan");
  return plan;
}

export const periodsOf = ({ plan }: AccountProduct) =>
  plan.flatMap(({ billing_periods }) => billing_periods);
