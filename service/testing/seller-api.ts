import assert from "node:assert/strict";
import type { PaymentOutcome } from "#contract/names.ts";
import {
  CreatedSubscription,
  Message,
  Subscription,
  SubscriptionPage,
} from "#contract/subscriptions.ts";
import type { NewSeller } from "../sellers/store.ts";
import { advanceLifecycle } from "./advance.ts";
import {
  testBuyer,
  createCatalogue,
  type ServiceClient,
  type TestRequest,
  type TestSeller,
  type TestService,
} from "./service.ts";

const DAY = 24 * 60 * 60 * 1000;
const URL = "/api/v1/subscriptions/";

/** A seller's actions through the API, and its buyers' at the checkout; parses strictly. */
export class SellerApi<Service extends ServiceClient = TestService> {
  readonly service: Service;
  readonly seller: TestSeller;
  readonly periods: Awaited<ReturnType<typeof createCatalogue>>;

  private constructor(service: Service, seller: TestSeller, periods: SellerApi["periods"]) {
    this.service = service;
    this.seller = seller;
    this.periods = periods;
  }

  static async open<Service extends ServiceClient>(
    service: Service,
    changes: Partial<NewSeller> = {},
  ): Promise<SellerApi<Service>> {
    const seller = await service.createSeller(changes);
    return new SellerApi(service, seller, await createCatalogue(service, seller));
  }

  call(request: TestRequest) {
    return this.service.call(this.seller, request);
  }

  post(url: string, payload?: object, headers: Record<string, string> = {}) {
    const type = { "content-type": "application/json" };
    return this.call({
      method: "POST",
      url,
      headers: {
        ...type,
        ...headers,
      },
      ...(payload && { payload }),
    });
  }

  requestCreate(
    pbp_id: string,
    client: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    const return_url = "https://shop.example/thanks";
    return this.post(URL, { pbp_id, return_url, client: testBuyer(client) }, headers);
  }

  async create(pbp_id = this.periods.monthly, client: Record<string, unknown> = {}) {
    const answer = await this.requestCreate(pbp_id, client);
    assert.equal(answer.statusCode, 201, answer.body);
    return CreatedSubscription.parse(answer.json());
  }

  /** Creates and pays a subscription; returns its id. */
  async createActive(pbp_id = this.periods.monthly, client: Record<string, unknown> = {}) {
    const { subscription_id } = await this.create(pbp_id, client);
    assert.equal(await this.pay(subscription_id), "paid");
    return subscription_id;
  }

  async read(id: string): Promise<Subscription> {
    const answer = await this.call({ url: `${URL}${id}/` });
    assert.equal(answer.statusCode, 200, answer.body);
    return Subscription.parse(answer.json());
  }

  async list(query = ""): Promise<SubscriptionPage> {
    const answer = await this.call({ url: `${URL}${query}` });
    assert.equal(answer.statusCode, 200, answer.body);
    return SubscriptionPage.parse(answer.json());
  }

  requestCancel = (id: string) => this.post(`${URL}${id}/cancel/`);
  requestResume = (id: string) => this.post(`${URL}${id}/resume/`);
  requestReschedule = (subscription_id: string, next_billing_cycle: string) =>
    this.post(`${URL}update-billing-cycle/`, { subscription_id, next_billing_cycle });

  cancel = async (id: string) => messageOf(await this.requestCancel(id));
  resume = async (id: string) => messageOf(await this.requestResume(id));
  reschedule = async (id: string, date: string) =>
    messageOf(await this.requestReschedule(id, date));

  /**
   * Submits the checkout's forms as a buyer.
   * @returns the reason or state with which the attempt ended, such as "paid"; the page's outcome if
   *   it did not get to the provider
   */
  async pay(id: string, choice: PaymentOutcome = "approve"): Promise<string | null> {
    const begun = await this.form(`/pay/${id}/code`, { method: "wallet" });
    const attempt = begun.query.get("attempt");
    const outcome = begun.query.get("outcome");
    if (attempt === null || outcome !== null) return outcome;
    const page = await this.service.call(null, { url: `/pay/${id}?attempt=${attempt}` });
    const total = /name="total" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
    const code = /<strong>(\d{6})<\/strong>/.exec(page.body)?.[1] ?? "";
    const paid = await this.form(`/pay/${id}/pay`, { attempt, total, code });
    const [, reference] = /^\/sandbox-pay\/(.+)/.exec(paid.path) ?? [];
    if (!reference) return paid.query.get("outcome");
    await this.form(`/sandbox-pay/${reference}`, { outcome: choice });
    // The sandbox answers the first inquiry "pending".
    for (let notices = 0; notices < 2; notices += 1)
      await this.form("/pay-notices/sandbox", { reference });
    return this.endOf(attempt);
  }

  private async endOf(attempt: string): Promise<string> {
    const { rows } = await this.service.pool.query<{ end: string }>(
      "select coalesce(reason, state) as end from checkout_attempt where attempt_id = $1",
      [attempt],
    );
    return rows[0]?.end ?? "";
  }

  private async form(url: string, fields: Record<string, string>) {
    const answer = await this.service.call(null, {
      method: "POST",
      url,
      payload: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    const [path = "", query] = String(answer.headers.location).split("?");
    return { path, query: new URLSearchParams(query) };
  }

  /** Advances the clock by days and applies the time-based changes. */
  async wait(this: SellerApi, days: number) {
    this.service.clock.advance(days * DAY);
    await advanceLifecycle(this.service.pool, this.seller, this.service.clock.now());
  }

  /** The events of a subscription as "event: old > new (reason)". */
  async events(id: string): Promise<string[]> {
    const { rows } = await this.service.pool.query<Record<string, string>>(
      `select event, old_status, new_status, reason from event
       where seller_id = $1 and subscription_id = $2 order by sequence`,
      [this.seller.seller_id, id],
    );
    return rows.map(
      ({ event, old_status, new_status, reason }) =>
        `${event}: ${old_status} > ${new_status} (${reason})`,
    );
  }
}

type Answer = Awaited<ReturnType<SellerApi["call"]>>;

function messageOf(answer: Answer): string {
  assert.equal(answer.statusCode, 200, answer.body);
  return Message.parse(answer.json()).message;
}
