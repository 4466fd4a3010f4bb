import "server-only";
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
import type { ListName } from "./observe.ts";
import { DeliveryClient } from "./delivery-client.ts";
import { SandboxClient } from "./sandbox-client.ts";
import { pathSegment, Transport, type TransportOptions } from "./transport.ts";

/** The event is any text: a server may know more kinds than we do. */
export type WebhookFields = Pick<Webhook, "event" | "endpoint_url" | "is_active">;

interface Page {
  page: number;
  page_size: number;
}

const rowsOf = (list: ListName) => (answer: { results: unknown[] } | null) =>
  answer && ({ kind: "rows", list, records: answer.results } as const);

const rowOf = (list: ListName) => (answer: unknown) =>
  answer ? ({ kind: "rows", list, records: [answer] } as const) : null;

const changed = (id: string) => () => ({ kind: "changed", id }) as const;

/**
 * The only client of the billing service: one method for each endpoint; every response is parsed.
 * Every method throws AppError.
 */
export class BillingClient {
  readonly #transport: Transport;
  readonly #sandbox: SandboxClient;
  readonly #deliveries: DeliveryClient;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
    this.#sandbox = new SandboxClient(options);
    this.#deliveries = new DeliveryClient(options);
  }

  /** Extensions of the embedded service, in test mode; elsewhere every call is `not_found`. */
  get sandbox(): SandboxClient {
    return this.#sandbox;
  }

  /** Deliveries of the embedded service; elsewhere every call is `not_found`. */
  get deliveries(): DeliveryClient {
    return this.#deliveries;
  }

  listProducts({ page, page_size }: Page): Promise<ProductPage> {
    const query = { page, page_size };
    const answer = ReceivedProductPage;
    return this.#transport.read({
      path: "api/v1/products",
      query,
      answer,
      isPage: true,
      isOpen: true,
      observes: rowsOf("products"),
    });
  }

  listSubscriptions(search: Page & { status: string | null }): Promise<SubscriptionPage> {
    const { status, page, page_size } = search;
    const query = { status, page, page_size };
    const answer = ReceivedSubscriptionPage;
    return this.#transport.read({
      path: "api/v1/subscriptions",
      query,
      answer,
      isPage: true,
      observes: rowsOf("subscriptions"),
    });
  }

  async getSubscription(subscription_id: string): Promise<Subscription> {
    const path = `api/v1/subscriptions/${pathSegment(subscription_id)}`;
    const observes = rowOf("subscriptions");
    return this.#transport.read({ path, answer: ReceivedSubscription, observes });
  }

  createSubscription(body: CreateSubscription): Promise<CreatedSubscription> {
    return this.#transport.write({
      path: "api/v1/subscriptions",
      body,
      answer: ReceivedCreatedSubscription,
      observes: (created) => created && { kind: "changed", id: created.subscription_id },
    });
  }

  // These three return no record, so callers must read it again.

  async cancelSubscription(subscription_id: string): Promise<Message> {
    const path = `api/v1/subscriptions/${pathSegment(subscription_id)}/cancel`;
    const observes = changed(subscription_id);
    return this.#transport.write({ path, answer: ReceivedMessage, observes });
  }

  async resumeSubscription(subscription_id: string): Promise<Message> {
    const path = `api/v1/subscriptions/${pathSegment(subscription_id)}/resume`;
    const observes = changed(subscription_id);
    return this.#transport.write({ path, answer: ReceivedMessage, observes });
  }

  rescheduleSubscription(body: RescheduleSubscription): Promise<Message> {
    const path = "api/v1/subscriptions/update-billing-cycle";
    const observes = changed(body.subscription_id);
    return this.#transport.write({ path, body, answer: ReceivedMessage, observes });
  }

  listCustomers({ page, page_size }: Page): Promise<CustomerPage> {
    const query = { page, page_size };
    const answer = ReceivedCustomerPage;
    return this.#transport.read({
      path: "api/v1/customers",
      query,
      answer,
      isPage: true,
      observes: rowsOf("customers"),
    });
  }

  async getCustomer(id: number): Promise<Customer> {
    const path = `api/v1/customers/${pathSegment(String(id))}`;
    return this.#transport.read({
      path,
      answer: ReceivedCustomer,
      observes: rowOf("customers"),
    });
  }

  listWebhooks({ page, page_size }: Page): Promise<WebhookPage> {
    const query = { page, page_size };
    return this.#transport.read({
      path: "api/v1/webhooks",
      query,
      answer: ReceivedWebhookPage,
      isPage: true,
    });
  }

  /** The response shows the signing secret this once. */
  createWebhook(body: WebhookFields): Promise<NewWebhook> {
    return this.#transport.write({
      path: "api/v1/webhooks",
      body,
      headers: [WEBHOOK_SECRET_HEADER],
      answer: ReceivedNewWebhook,
    });
  }

  /** Sends every field: which of them a server requires is not specified. */
  async updateWebhook(id: number, body: WebhookFields): Promise<Webhook> {
    const path = `api/v1/webhooks/${pathSegment(String(id))}`;
    return this.#transport.write({ path, body, answer: ReceivedWebhook }, "PATCH");
  }
}
