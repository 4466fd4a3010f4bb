import "server-only";
import type * as z from "zod";
import {
  ReceivedCustomer,
  ReceivedCustomerPage,
  type Customer,
  type CustomerPage,
} from "#contract/customers.ts";
import { ReceivedProductPage, type ProductPage } from "#contract/products.ts";
import {
  ReceivedCreatedSubscription,
  ReceivedMessage,
  ReceivedSubscription,
  ReceivedSubscriptionPage,
  type CreatedSubscription,
  type CreateSubscription,
  type Message,
  type RescheduleSubscription,
  type Subscription,
  type SubscriptionPage,
} from "#contract/subscriptions.ts";
import {
  ReceivedNewWebhook,
  ReceivedWebhook,
  ReceivedWebhookPage,
  WEBHOOK_SECRET_HEADER,
  type NewWebhook,
  type Webhook,
  type WebhookPage,
} from "#contract/webhooks.ts";
import { failureOf, isTemporaryFailure, type FailureKind } from "#lib/failure.ts";
import type { Paging } from "#lib/list-answer.ts";
import type { ListName } from "./observe.ts";
import {
  pathSegment,
  rawCall,
  Transport,
  type Extension,
  type TransportOptions,
} from "./transport.ts";

/** The event is any text: a service may have more kinds. */
type WebhookFields = Pick<Webhook, "event" | "endpoint_url" | "is_active">;

const rowsOf = (list: ListName) => (answer: { results: unknown[] } | null) =>
  answer && ({ kind: "rows", list, records: answer.results } as const);

const rowOf = (list: ListName) => (answer: unknown) =>
  answer ? ({ kind: "rows", list, records: [answer] } as const) : null;

const changed = (id: string) => () => ({ kind: "changed", id }) as const;

/** A method for each endpoint of the billing service; all throw AppError. Every response is parsed. */
export class BillingClient {
  readonly #options: TransportOptions;
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#transport = new Transport(options);
  }

  /** Calls endpoints that not every service has, with the same key. */
  extension(extension: Extension, timeouts: Partial<TransportOptions> = {}): Transport {
    return new Transport({ ...timeouts, ...this.#options, extension });
  }

  /** The body of an endpoint's answer as it came. @param path below the API, without slashes at its ends */
  async readRaw(path: string, query: Record<string, number> = {}): Promise<string> {
    return (await this.#transport.read(rawCall(`api/v1/${path}`, query))).text;
  }

  listProducts(page: Paging): Promise<ProductPage> {
    return this.#list("products", ReceivedProductPage, page, { isOpen: true });
  }

  listSubscriptions(search: Paging & { status: string | null }): Promise<SubscriptionPage> {
    return this.#list("subscriptions", ReceivedSubscriptionPage, search);
  }

  async getSubscription(subscription_id: string): Promise<Subscription> {
    const path = `api/v1/subscriptions/${pathSegment(subscription_id)}`;
    const observes = rowOf("subscriptions");
    return this.#transport.read({ path, answer: ReceivedSubscription, observes });
  }

  /**
   * @param idempotencyKey a second call with the same key creates nothing more, at services that
   * support the header
   */
  createSubscription(
    body: CreateSubscription,
    idempotencyKey?: string,
  ): Promise<CreatedSubscription> {
    return this.#transport.write({
      path: "api/v1/subscriptions",
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      answer: ReceivedCreatedSubscription,
      observes: (created) => created && { kind: "changed", id: created.subscription_id },
    });
  }

  // These three operations return no record, so callers must read the subscription again.

  cancelSubscription(subscription_id: string): Promise<Message> {
    return this.#changeSubscription(subscription_id, "cancel");
  }

  resumeSubscription(subscription_id: string): Promise<Message> {
    return this.#changeSubscription(subscription_id, "resume");
  }

  async #changeSubscription(subscription_id: string, change: string): Promise<Message> {
    const path = `api/v1/subscriptions/${pathSegment(subscription_id)}/${change}`;
    const observes = changed(subscription_id);
    return this.#transport.write({ path, answer: ReceivedMessage, observes });
  }

  rescheduleSubscription(body: RescheduleSubscription): Promise<Message> {
    const path = "api/v1/subscriptions/update-billing-cycle";
    const observes = changed(body.subscription_id);
    return this.#transport.write({ path, body, answer: ReceivedMessage, observes });
  }

  listCustomers(page: Paging): Promise<CustomerPage> {
    return this.#list("customers", ReceivedCustomerPage, page);
  }

  async getCustomer(id: number): Promise<Customer> {
    const path = `api/v1/customers/${pathSegment(String(id))}`;
    const observes = rowOf("customers");
    return this.#transport.read({ path, answer: ReceivedCustomer, observes });
  }

  #list<Answer extends { results: unknown[] }>(
    list: ListName,
    answer: z.ZodType<Answer>,
    { status = null, page, page_size }: Paging & { status?: string | null },
    options: { isOpen?: true } = {},
  ): Promise<Answer> {
    return this.#transport.read({
      path: `api/v1/${list}`,
      // Only these fields: callers may pass a whole search, whose text must not be in a URL.
      query: { status, page, page_size },
      answer,
      isPage: true,
      observes: rowsOf(list),
      ...options,
    });
  }

  listWebhooks({ page, page_size }: Paging): Promise<WebhookPage> {
    return this.#transport.read({
      path: "api/v1/webhooks",
      query: { page, page_size },
      answer: ReceivedWebhookPage,
      isPage: true,
    });
  }

  /** Only this response contains the signing secret. */
  createWebhook(body: WebhookFields): Promise<NewWebhook> {
    return this.#transport.write({
      path: "api/v1/webhooks",
      body,
      headers: [WEBHOOK_SECRET_HEADER],
      answer: ReceivedNewWebhook,
    });
  }

  /** Sends every field, because the specification does not say which of them a server requires. */
  async updateWebhook(id: number, body: WebhookFields): Promise<Webhook> {
    const path = `api/v1/webhooks/${pathSegment(String(id))}`;
    return this.#transport.write({ path, body, answer: ReceivedWebhook }, "PATCH");
  }
}

/** Kinds of failures that show a missing extension; other failures can be temporary. */
const MEANS_UNSUPPORTED = new Set<FailureKind>([
  "not_found",
  "not_offered",
  // These two show a missing extension only if the API itself accepts the key.
  "unauthorized",
  "unverified",
]);
export const meansUnsupported = (kind: FailureKind): boolean => MEANS_UNSUPPORTED.has(kind);

const UNRELATED_TO_PATH = new Set<FailureKind>(["not_connected", "mode_absent", "validation"]);

/**
 * For optional operations: returns null if the service lacks the operation. Other refusals, such as the
 * 401 or 403 of a gateway for an unknown path, count only if the API itself accepts the key.
 * @throws AppError if the failure is temporary, has nothing to do with the path, or concerns the key
 * @param extension is not called again for a day if the service lacks it
 */
export async function nullIfUnsupported<Value>(
  billing: BillingClient,
  read: () => Promise<Value>,
  extension?: Extension,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    const failure = failureOf(error);
    const { kind } = failure;
    if (isTemporaryFailure(failure) || UNRELATED_TO_PATH.has(kind)) throw error;
    if (kind !== "not_found" && kind !== "not_offered")
      await billing.listSubscriptions({ status: null, page: 1, page_size: 1 });
    if (extension && meansUnsupported(kind))
      await billing.extension(extension).rememberUnsupported();
    return null;
  }
}
