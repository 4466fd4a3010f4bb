import "server-only";
import {
  ReceivedDelivery,
  ReceivedDeliveryPage,
  ReceivedNoticeList,
  ReceivedRecoveredDeliveries,
  ReceivedSentExample,
  type Delivery,
  type DeliveryPage,
  type NoticeList,
  type RecoveredDeliveries,
  type RecoverDeliveries,
  type SentExample,
} from "#contract/deliveries.ts";
import { ReceivedMessage, type Message } from "#contract/subscriptions.ts";
import {
  ReceivedNewSecret,
  WEBHOOK_SECRET_HEADER,
  type NewSecret,
} from "#contract/webhooks.ts";
import { nullIfUnsupported, type BillingClient } from "./client.ts";
import { pathSegment, type Transport } from "./transport.ts";

/** Filters of the delivery list; null for no filter. */
export interface DeliveryFilter {
  state: string | null;
  /** "false" leaves out deliveries that were skipped, so never sent. */
  skipped: string | null;
  event: string | null;
  webhook_id: number | null;
  subscription_id: string | null;
  /** ISO 8601 times; deliveries of both moments are included. */
  created_from: string | null;
  created_to: string | null;
  /** The id of a delivery; only older ones are returned. */
  before: number | null;
  page_size: number;
}

/** Deliveries, an extension of the embedded service in test mode. */
export class DeliveryClient {
  readonly #transport: Transport;

  constructor(billing: BillingClient) {
    this.#transport = billing.extension("deliveries");
  }

  listDeliveries(filter: DeliveryFilter): Promise<DeliveryPage> {
    return this.#transport.read({
      path: "sandbox/deliveries",
      query: { ...filter },
      answer: ReceivedDeliveryPage,
      isPage: true,
    });
  }

  async getDelivery(id: string): Promise<Delivery> {
    const path = `sandbox/deliveries/${pathSegment(id)}`;
    return this.#transport.read({ path, answer: ReceivedDelivery });
  }

  async resendDelivery(id: number): Promise<Message> {
    const path = `sandbox/deliveries/${pathSegment(String(id))}/resend`;
    return this.#transport.write({ path, answer: ReceivedMessage });
  }

  recoverDeliveries(body: RecoverDeliveries): Promise<RecoveredDeliveries> {
    const path = "sandbox/deliveries/recover";
    return this.#transport.write({ path, body, answer: ReceivedRecoveredDeliveries });
  }

  async sendExample(webhook_id: number, event: string): Promise<SentExample> {
    const path = `sandbox/webhooks/${pathSegment(String(webhook_id))}/example`;
    return this.#transport.write({ path, body: { event }, answer: ReceivedSentExample });
  }

  /** Only this response contains the new secret. */
  async rotateSecret(webhook_id: number): Promise<NewSecret> {
    const path = `sandbox/webhooks/${pathSegment(String(webhook_id))}/rotate-secret`;
    const headers = [WEBHOOK_SECRET_HEADER];
    return this.#transport.write({ path, headers, answer: ReceivedNewSecret });
  }

  listNotices(): Promise<NoticeList> {
    const path = "sandbox/webhooks/notices";
    return this.#transport.read({ path, answer: ReceivedNoticeList, isPage: true });
  }
}

/** Notices about webhooks; null if the service has none. */
export const readNotices = (billing: BillingClient): Promise<NoticeList | null> =>
  nullIfUnsupported(billing, () => new DeliveryClient(billing).listNotices(), "deliveries");

/** Sends an optional write if a read shows that the service supports it, else returns null. */
export async function sendIfSupported<Value>(
  billing: BillingClient,
  send: () => Promise<Value>,
): Promise<Value | null> {
  if ((await readNotices(billing)) === null) return null;
  return nullIfUnsupported(billing, send);
}
