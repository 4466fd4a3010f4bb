import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { Endpoint } from "../../../service/testing/endpoint.ts";
import { waitUntilNoRow } from "../../../service/testing/until-none.ts";
import type { SellerClient } from "../faults/testbed.ts";

const EVENT = "checkout.succeeded";

/** The deliveries of a seller's payments: they show that workers, jobs and notifications came back. */
export class DeliveryLog {
  readonly #endpoint: Endpoint;

  private constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
  }

  static async open(seller: SellerClient): Promise<DeliveryLog> {
    const endpoint = await Endpoint.listen();
    await seller.registerWebhook(EVENT, endpoint.url);
    return new DeliveryLog(endpoint);
  }

  /** Waits for the end of all deliveries. @returns the numbers of events, missing ones and arrivals */
  async check(pool: pg.Pool): Promise<{ events: number; missing: number; arrivals: number }> {
    const undelivered = `select 1 from delivery d join webhook w on w.id = d.webhook_id
      where d.state <> 'delivered' and w.endpoint_url = ${pg.escapeLiteral(this.#endpoint.url)}`;
    await waitUntilNoRow(pool, undelivered, "deliveries did not arrive", () => delay(200));
    const { rows } = await pool.query<{ event_id: string }>(
      "select event_id from event where event = $1",
      [EVENT],
    );
    const arrived = new Set(
      this.#endpoint.arrivals.map(({ headers }) => headers["webhook-id"]),
    );
    return {
      events: rows.length,
      missing: rows.filter(({ event_id }) => !arrived.has(event_id)).length,
      arrivals: this.#endpoint.arrivals.length,
    };
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }
}
