import { setTimeout as delay } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { EVENT_KINDS, type EventKind } from "#contract/names.ts";
import type { SellerApi } from "./seller-api.ts";
import { Endpoint, type ReceivedRequest } from "./endpoint.ts";
import { waitUntilNoRow } from "./until-none.ts";
import type { ServiceClient } from "./service.ts";

interface Expected {
  event_id: string;
  subscription_id: string;
  endpoint_url: string;
  body: string | null;
}

const EXPECTED = `
  select e.event_id, e.subscription_id, w.endpoint_url, d.body
  from event e join webhook w on w.seller_id = e.seller_id and w.event = e.event
  left join delivery d on d.event_id = e.event_id and d.webhook_id = w.id
  where e.seller_id = any($1) order by e.sequence`;

const UNDELIVERED = "select 1 from delivery where state <> 'delivered'";

/** Verifies each delivery to several sellers, and compares them with the expected ones. */
export class Inbox {
  private readonly endpoint: Endpoint;
  private readonly webhooks = new Map<string, Webhook>();
  private readonly sellers: number[] = [];
  private readonly problems: string[] = [];

  private constructor(endpoint: Endpoint) {
    this.endpoint = endpoint;
    endpoint.answer = (response) => {
      const arrival = endpoint.arrivals.at(-1);
      if (arrival) this.verify(arrival);
      response.writeHead(204).end();
    };
  }

  static async open(): Promise<Inbox> {
    return new Inbox(await Endpoint.listen());
  }

  get arrivals(): number {
    return this.endpoint.arrivals.length;
  }

  /** Two URLs: one for every event, one for status changes only. */
  async register(api: SellerApi<ServiceClient>): Promise<void> {
    this.sellers.push(api.seller.seller_id);
    for (const event of EVENT_KINDS) await this.registerOne(api, event, "all");
    await this.registerOne(api, "subscription.status_changed", "changes");
  }

  close() {
    return this.endpoint.close();
  }

  /** Waits until everything is delivered. @returns the problems with the deliveries */
  async check({ pool }: ServiceClient): Promise<string[]> {
    await waitUntilNoRow(pool, UNDELIVERED, "deliveries did not arrive", () => delay(50));
    const { rows } = await pool.query<Expected>(EXPECTED, [this.sellers]);
    const byPath = Map.groupBy(rows, (row) => new URL(row.endpoint_url).pathname);
    const arrived = Map.groupBy(this.endpoint.arrivals, ({ path }) => path);
    for (const [path, expected] of byPath)
      this.problems.push(...checkPath(path, expected, arrived.get(path) ?? []));
    return this.problems;
  }

  private async registerOne(api: SellerApi<ServiceClient>, event: EventKind, name: string) {
    const path = `/${api.seller.seller_id}/${name}`;
    const url = new URL(path, this.endpoint.url).href;
    const { secret } = await this.endpoint.register(api, event, url);
    this.webhooks.set(`${path} ${event}`, new Webhook(secret));
  }

  private verify({ path, headers, body }: ReceivedRequest) {
    try {
      const { event } = JSON.parse(body) as { event: string };
      const webhook = this.webhooks.get(`${path} ${event}`);
      if (!webhook) throw new Error("no endpoint expects this event");
      webhook.verify(body, headers);
    } catch (error) {
      this.problems.push(`what arrived at ${path} does not verify: ${String(error)}`);
    }
  }
}

/** Checks that every expected delivery arrived unchanged, and no other. */
function checkPath(path: string, expected: Expected[], arrivals: ReceivedRequest[]): string[] {
  const first = new Map<string, ReceivedRequest>();
  const problems: string[] = [];
  for (const arrival of arrivals) {
    const id = arrival.headers["webhook-id"] ?? "";
    const known = first.get(id);
    if (!known) first.set(id, arrival);
    else if (known.body !== arrival.body)
      problems.push(`event ${id} came again at ${path} and was another`);
  }
  for (const { event_id, body } of expected) {
    const { body: arrived } = first.get(event_id) ?? {};
    if (arrived === undefined) problems.push(`event ${event_id} never arrived at ${path}`);
    else if (arrived !== body) problems.push(`event ${event_id} was changed on the way`);
  }
  const ids = new Set(expected.map((row) => row.event_id));
  for (const id of first.keys())
    if (!ids.has(id)) problems.push(`event ${id} arrived at ${path} and never was`);
  return problems.length > 0 ? problems : checkOrder(path, expected, [...first.keys()]);
}

/** Checks that each subscription's events first arrived in the order in which they happened. */
function checkOrder(path: string, expected: Expected[], arrived: string[]): string[] {
  const places = new Map(arrived.map((id, place) => [id, place]));
  const placeOf = ({ event_id }: Expected) => places.get(event_id) ?? -1;
  return [...Map.groupBy(expected, (row) => row.subscription_id)].flatMap(([id, own]) =>
    own.every((row, index) => index === 0 || placeOf(own[index - 1] ?? row) < placeOf(row))
      ? []
      : [`the events of ${id} arrived out of order at ${path}`],
  );
}
