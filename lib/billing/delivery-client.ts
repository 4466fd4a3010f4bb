import "server-only";
import { ReceivedAccountDirectory } from "#contract/account.ts";
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
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { ReceivedMessage, type Message } from "#contract/subscriptions.ts";
import {
  ReceivedNewSecret,
  WEBHOOK_SECRET_HEADER,
  type NewSecret,
} from "#contract/webhooks.ts";
import { nullIfUnsupported, type BillingClient } from "./client.ts";
import { ACCOUNT_ROOT, DISCOVERY_TIMEOUT, isOffered } from "./discovery.ts";
import { pathSegment, rawCall, type ApiCall } from "./transport.ts";

/** Filters of the delivery list; null for no filter. */
export interface DeliveryFilter {
  state: string | null;
  /** "false" leaves out deliveries that were skipped, so never sent. */
  skipped: string | null;
  event: string | null;
  webhook_id: number | null;
  subscription_id: string | null;
  /** ISO 8601 times; both ends are included. */
  created_from: string | null;
  created_to: string | null;
  /** The id of a delivery; only older ones are returned. */
  before: number | null;
  page_size: number;
}

/** The newest deliveries in any state. */
export const ANY_DELIVERY: DeliveryFilter = {
  state: null,
  skipped: null,
  event: null,
  webhook_id: null,
  subscription_id: null,
  created_from: null,
  created_to: null,
  before: null,
  page_size: MAX_PAGE_SIZE,
};

const IN_ACCOUNT = { root: ACCOUNT_ROOT, extension: "account" } as const;
const IN_SANDBOX = { root: "sandbox", extension: "deliveries" } as const;

/**
 * Finds the route of this connection's deliveries: the account API if the service offers it, else
 * the sandbox, whose answer shows whether it has any.
 */
async function findDeliveries(billing: BillingClient) {
  const account = billing.extension("account", DISCOVERY_TIMEOUT);
  return (await isOffered(account, "deliveries")) ? IN_ACCOUNT : IN_SANDBOX;
}

/** Deliveries of the account API or of the sandbox; both have the same paths below their root. */
export class DeliveryClient {
  readonly #billing: BillingClient;
  #found: ReturnType<typeof findDeliveries> | null = null;

  constructor(billing: BillingClient) {
    this.#billing = billing;
  }

  #find() {
    return (this.#found ??= findDeliveries(this.#billing));
  }

  async #read<Answer>(call: ApiCall<Answer>): Promise<Answer> {
    const { root, extension } = await this.#find();
    const path = `${root}/${call.path}`;
    return this.#billing.extension(extension).read({ ...call, path });
  }

  async #write<Answer>(call: ApiCall<Answer>): Promise<Answer> {
    const { root, extension } = await this.#find();
    const path = `${root}/${call.path}`;
    return this.#billing.extension(extension).write({ ...call, path });
  }

  /** Null if the service has no deliveries; see nullIfUnsupported. */
  async #readIfSupported<Answer>(call: ApiCall<Answer>): Promise<Answer | null> {
    const { extension } = await this.#find();
    return nullIfUnsupported(this.#billing, () => this.#read(call), extension);
  }

  /** Null if the service lists no deliveries. */
  listDeliveries(filter: DeliveryFilter): Promise<DeliveryPage | null> {
    return this.#readIfSupported({
      path: "deliveries",
      query: { ...filter },
      answer: ReceivedDeliveryPage,
      isPage: true,
    });
  }

  async getDelivery(id: string): Promise<Delivery> {
    const path = `deliveries/${pathSegment(id)}`;
    return this.#read({ path, answer: ReceivedDelivery });
  }

  /** The delivery as the service sends it. */
  async readRawDelivery(id: string): Promise<string> {
    return (await this.#read(rawCall(`deliveries/${pathSegment(id)}`))).text;
  }

  async resendDelivery(id: number): Promise<Message> {
    const path = `deliveries/${pathSegment(String(id))}/resend`;
    return this.#write({ path, answer: ReceivedMessage });
  }

  recoverDeliveries(body: RecoverDeliveries): Promise<RecoveredDeliveries> {
    const path = "deliveries/recover";
    return this.#write({ path, body, answer: ReceivedRecoveredDeliveries });
  }

  async sendExample(webhook_id: number, event: string): Promise<SentExample> {
    const path = `webhooks/${pathSegment(String(webhook_id))}/example`;
    return this.#write({ path, body: { event }, answer: ReceivedSentExample });
  }

  /** Only this response contains the new secret. */
  async rotateSecret(webhook_id: number): Promise<NewSecret> {
    const path = `webhooks/${pathSegment(String(webhook_id))}/rotate-secret`;
    const headers = [WEBHOOK_SECRET_HEADER];
    return this.#write({ path, headers, answer: ReceivedNewSecret });
  }

  /** The kinds of events that the service says it sends; empty if it does not say. */
  async listEvents(): Promise<string[]> {
    const { extension } = await this.#find();
    if (extension !== IN_ACCOUNT.extension) return [];
    const account = this.#billing.extension(extension, DISCOVERY_TIMEOUT);
    return (await account.read({ path: ACCOUNT_ROOT, answer: ReceivedAccountDirectory }))
      .events;
  }

  /** Notices about webhooks; null if the service has none. */
  listNotices(): Promise<NoticeList | null> {
    const path = "webhooks/notices";
    return this.#readIfSupported({ path, answer: ReceivedNoticeList, isPage: true });
  }
}

/** Sends an optional write if a read shows that the service supports it, else returns null. */
export async function sendIfSupported<Value>(
  billing: BillingClient,
  send: () => Promise<Value>,
): Promise<Value | null> {
  if ((await new DeliveryClient(billing).listNotices()) === null) return null;
  return nullIfUnsupported(billing, send);
}
