import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { randomOf, type Random } from "../../seed/random.ts";
import { SellerApi } from "../seller-api.ts";
import type { Inbox } from "../inbox.ts";
import { BrokenConnection } from "../remote.ts";
import type { ServiceClient } from "../service.ts";
import { payCheckout } from "./buyer.ts";
import { Ledger } from "./ledger.ts";
import { writeRepeatedly } from "./write.ts";

const DAY = 24 * 60 * 60 * 1_000;
const BUYERS = ["9800000001", "9800000002", "9800000003", "9800000004"];
const STAFF = [1, 2, 3, 4];
const PLANS = { monthly: "first", yearly: "first", once: "first", weekly: "second" } as const;

/** One seller with its staff and buyers, each of whom sends one request at a time. */
export class Shop {
  /** Maximum number of parallel requests: some are sent twice, and one more advances the clock. */
  static readonly WIDTH = 2 * (BUYERS.length + STAFF.length) + 1;
  readonly api: SellerApi<ServiceClient>;
  readonly ledger = new Ledger();
  private readonly seed: number;

  private constructor(api: SellerApi<ServiceClient>, seed: number) {
    this.api = api;
    this.seed = seed;
  }

  static async open(client: ServiceClient, inbox: Inbox, seed: number): Promise<Shop> {
    const time_zone = seed % 2 === 0 ? "Asia/Kathmandu" : "Pacific/Honolulu";
    const api = await SellerApi.open(client, { time_zone, grace_days: seed % 2 === 0 ? 7 : 0 });
    await inbox.register(api);
    return new Shop(api, seed);
  }

  /** Sends requests until the signal aborts, and waits for the running ones. */
  async trade(signal: AbortSignal): Promise<void> {
    const repeat = async (person: number, act: (random: Random) => Promise<void>) => {
      const random = randomOf(this.seed, person);
      while (!signal.aborted) {
        await act(random);
        await delay(random.integer(0, 20));
      }
    };
    await Promise.all([
      ...BUYERS.map((phone) => repeat(Number(phone), (random) => this.buy(phone, random))),
      ...STAFF.map((person) => repeat(person, (random) => this.manage(random))),
      repeat(0, (random) => this.passTime(random)),
    ]);
  }

  async catchUp(): Promise<void> {
    const answer = await this.api.post("/sandbox/clock/advance/", { by: "PT1S" });
    assert.equal(answer.statusCode, 200, answer.body);
  }

  private async buy(phone: string, random: Random) {
    const name = random.pick(Object.keys(PLANS) as (keyof typeof PLANS)[]);
    const full_name = `Buyer ${randomUUID()}`;
    const pbp_id = this.api.periods[name];
    const request = { pbp_id, phone, full_name, plan: PLANS[name] };
    const made = await Promise.all(
      // Sometimes the same request is sent twice at once.
      Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => this.order(request, random)),
    );
    const id = made.find((one) => one !== null) ?? (await this.pick(random));
    if (id && random.chance(0.8))
      await payCheckout(this.api.service, { id, random }, this.ledger);
  }

  private async order(
    request: { pbp_id: string; phone: string; full_name: string; plan: string },
    random: Random,
  ): Promise<string | null> {
    const { pbp_id, phone, full_name, plan } = request;
    const order = { phone, plan, wish: `${pbp_id} ${full_name}`, id: null as string | null };
    this.ledger.orders.push(order);
    const answer = await writeRepeatedly(this.ledger, random, (headers) =>
      this.api.requestCreate(pbp_id, { phone, full_name }, headers),
    );
    if (answer?.statusCode === 201)
      order.id = answer.json<{ subscription_id: string }>().subscription_id;
    // The request was refused because the buyer already has a subscription.
    else if (answer) this.ledger.orders.splice(this.ledger.orders.indexOf(order), 1);
    return order.id;
  }

  private async pick(random: Random): Promise<string | null> {
    const { results } = await this.api.list("?page_size=12");
    return results.length === 0 ? null : random.pick(results).subscription_id;
  }

  private async manage(random: Random) {
    const id = await this.pick(random);
    if (id === null) return;
    const verb = random.pick(["cancel", "resume", "reschedule", "pay"] as const);
    if (verb === "pay") return payCheckout(this.api.service, { id, random }, this.ledger);
    if (verb === "reschedule") return this.reschedule(id, random);
    const url = `/api/v1/subscriptions/${id}/${verb}/`;
    const answer = await writeRepeatedly(this.ledger, random, (headers) =>
      this.api.post(url, undefined, headers),
    );
    if (answer === null) this.ledger.count(`${id} ${verb}`, "unknown");
    else if (answer.statusCode === 200 && !/already|nothing to undo/.test(answer.body))
      this.ledger.count(`${id} ${verb}`, "acknowledged");
  }

  private async reschedule(subscription_id: string, random: Random) {
    const today = Math.max(this.ledger.clock, Date.now());
    const next_billing_cycle = new Date(today + random.integer(1, 40) * DAY)
      .toISOString()
      .slice(0, 10);
    const body = { subscription_id, next_billing_cycle };
    const answer = await writeRepeatedly(this.ledger, random, (headers) =>
      this.api.post("/api/v1/subscriptions/update-billing-cycle/", body, headers),
    );
    const change = `${subscription_id} reschedule ${next_billing_cycle}`;
    if (answer === null) this.ledger.count(change, "unknown");
    else if (answer.statusCode === 200) this.ledger.count(change, "acknowledged");
  }

  /** Advances the seller's sandbox clock; an interrupted advance can be continued. */
  private async passTime(random: Random) {
    await delay(random.integer(100, 600));
    const [verb, body] = random.chance(0.5)
      ? ["next", {}]
      : ["advance", { by: `PT${random.integer(1, 240)}H` }];
    const answer = await this.api.post(`/sandbox/clock/${verb}/`, body).catch((error) => {
      if (error instanceof BrokenConnection) return null;
      throw error;
    });
    if (answer?.statusCode !== 200) return;
    this.ledger.acknowledged += 1;
    const { to } = answer.json<{ to: string }>();
    this.ledger.clock = Math.max(this.ledger.clock, Date.parse(to));
  }
}
