import { setImmediate } from "node:timers/promises";
import type { Customer } from "#contract/customers.ts";
import type { Product } from "#contract/products.ts";
import type { Subscription, SubscriptionPage } from "#contract/subscriptions.ts";
import { AppError, type Failure } from "#lib/failure.ts";
import type { SyncApi } from "#lib/search-index/records/lists.ts";
import { isOneTimePurchase } from "#lib/money/payable.ts";

type Counters = Omit<SubscriptionPage, "count" | "next" | "previous" | "results">;

const NO_COUNTERS: Counters = {
  total_subscriptions: null,
  active_subscriptions: null,
  due_subscriptions: null,
  inactive_subscriptions: null,
};

/** An in-memory billing service whose records change between calls; lists are newest first, as specified. */
export class ChangingService implements SyncApi {
  readonly subscriptions: Subscription[] = [];
  readonly customers: Customer[] = [];
  readonly products: Product[] = [];
  /** Maximum number of rows of a page, whatever page_size is requested. */
  readonly pageSize: number;
  /** Runs before each answer is built, and again before it is returned. */
  onCall: () => void | Promise<void> = () => {};
  /** Failures that replace the answers to the next calls. */
  readonly failures: Failure[] = [];
  isCounting = true;
  /** Whether the list contains the status counters. */
  isTallying = false;
  calls = 0;
  underWay = 0;
  mostAtOnce = 0;
  #made = 0;

  constructor(pageSize = 5) {
    this.pageSize = pageSize;
  }

  fill(count: number): void {
    this.addProduct("Fibre");
    for (let made = 0; made < count; made += 1) this.create();
  }

  create(changes: Partial<Subscription> = {}): Subscription {
    const number = (this.#made += 1);
    const phone = `98${String(number).padStart(8, "0")}`;
    const created_at = new Date(1_700_000_000_000 + number * 1_000).toISOString();
    const made: Subscription = {
      subscription_id: `sub-${number}`,
      status: "active",
      is_active: true,
      client: {
        phone,
        full_name: `Buyer ${number}`,
        email: `buyer${number}@example.com`,
        address: "Patan",
        billing: null,
        shipping: null,
      },
      product: {
        product_id: "product-1",
        name: "Fibre",
        plan_name: "Gold",
        pbp_id: "pbp-1",
        label: "Monthly",
        price: "1200.00",
        currency: "NPR",
      },
      current_period_start: created_at,
      current_period_end: created_at,
      next_billing_cycle: created_at,
      created_at,
      ...changes,
    };
    this.subscriptions.unshift(made);
    const { full_name, email: buyer_email } = made.client;
    this.customers.unshift({
      id: number,
      buyer_phone: phone,
      buyer_email,
      full_name,
      created_at,
    });
    return made;
  }

  addProduct(name: string): void {
    this.products.unshift({
      product_id: `product-${this.products.length + 1}`,
      name,
      description: "",
      type: "simple",
      is_active: true,
      terms_and_conditions: "",
      features_and_benefits: "",
      vat: { is_vat_active: false, vat_type: "inclusive", vat_percentage: 0 },
      product_image: [],
      plan: [],
      total_subscribers: "0",
      created_at: "2026-01-01T00:00:00Z",
      updated_at: "2026-01-01T00:00:00Z",
    });
  }

  change(at: number, changes: Partial<Subscription>): string | null {
    const found = this.subscriptions[at % Math.max(1, this.subscriptions.length)];
    if (!found) return null;
    this.subscriptions.splice(this.subscriptions.indexOf(found), 1, { ...found, ...changes });
    return found.subscription_id;
  }

  remove(at: number): string | null {
    const place = at % Math.max(1, this.subscriptions.length);
    const [gone] = this.subscriptions.splice(place, 1);
    return gone?.subscription_id ?? null;
  }

  listProducts = ({ page }: { page: number }) => this.#page(this.products, page);
  listCustomers = ({ page }: { page: number }) => this.#page(this.customers, page);
  listSubscriptions = async ({
    page,
    status = null,
  }: {
    page: number;
    status?: string | null;
  }) => {
    const rows = this.subscriptions.filter((one) => status === null || one.status === status);
    const answer = await this.#page(rows, page);
    return { ...answer, ...(this.isTallying ? this.tally() : NO_COUNTERS) };
  };
  /** The counters as specified, which leave out one-time purchases. */
  tally(): Counters {
    const recurring = this.subscriptions.filter((one) => !isOneTimePurchase(one));
    const of = (status: string) => recurring.filter((one) => one.status === status).length;
    return {
      total_subscriptions: recurring.length,
      active_subscriptions: of("active"),
      due_subscriptions: of("due"),
      inactive_subscriptions: of("inactive"),
    };
  }
  // Like other services, it has no feed.
  readChanges: SyncApi["readChanges"] = async () => null;
  listPayments: SyncApi["listPayments"] = async () => null;
  listHistory: SyncApi["listHistory"] = async () => null;
  getSubscription = (id: string) =>
    this.#answer(() => this.subscriptions.find((one) => one.subscription_id === id));
  getCustomer = (id: number) => this.#answer(() => this.customers.find((one) => one.id === id));

  #page<Row>(rows: Row[], page: number) {
    return this.#answer(() => {
      const from = (page - 1) * this.pageSize;
      // Some services answer 404 beyond the last page.
      if (page > 1 && from >= rows.length) return undefined;
      const isLast = from + this.pageSize >= rows.length;
      return {
        count: this.isCounting ? rows.length : null,
        next: isLast ? null : `?page=${page + 1}`,
        previous: null,
        results: rows.slice(from, from + this.pageSize),
      };
    });
  }

  async #answer<Value>(make: () => Value | undefined): Promise<Value> {
    this.calls += 1;
    this.underWay += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.underWay);
    try {
      await setImmediate();
      await this.onCall();
      const failure = this.failures.shift();
      if (failure) throw new AppError(failure);
      const value = structuredClone(make());
      await this.onCall();
      await setImmediate();
      if (value === undefined) throw new AppError({ kind: "not_found" });
      return value;
    } finally {
      this.underWay -= 1;
    }
  }
}
