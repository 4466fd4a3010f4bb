import { randomUUID } from "node:crypto";

/** A subscription as the other service sends it. */
export interface OtherSubscription extends Record<string, unknown> {
  subscription_id: string;
  status: string;
  client: Record<string, unknown>;
  next_billing_cycle: string | null;
  current_period_end: string | null;
}

const DAY = 86_400_000;

/** A time with an offset and microseconds, as some servers write it. */
export function momentInDays(days: number): string {
  const local = new Date(Date.now() + days * DAY + 345 * 60_000).toISOString().slice(0, 19);
  return `${local}.123456+05:45`;
}

export const YOGA_PRODUCT = {
  product_id: "11111111-2222-4333-8444-555555555555",
  name: "Sunrise Yoga",
  description: "",
  type: "bundle",
  is_active: true,
  terms_and_conditions: null,
  vat: { is_vat_active: true, vat_type: "zero_rated", vat_percentage: "13.0" },
  product_image: null,
  total_subscribers: 12,
  colour: "saffron",
  created_at: "2026-01-02T03:04:05+05:45",
  plan: [
    {
      plan_id: 7,
      plan_name: "Morning",
      billing_periods: [
        period("pbp_moon", "lunar_month", 1, "Each moon", "1200"),
        period("pbp_half", "month", 6, "Half a year", "6000.5"),
        period("pbp_life", "lifetime", 1, "For life", "99999.00"),
      ],
    },
  ],
};

/** A product with the required fields only. */
const BARE = { product_id: "bare-product", name: "Bare", plan: [{ plan_id: "bare-plan" }] };

/** Products whose names begin alike and whose ids contain each other's numbers. */
const GYMS = ["Gym 20 at Night", "Gym 20", "Gym 30 at Night", "Gym 30"].map((name, at) => ({
  ...YOGA_PRODUCT,
  product_id: `gym-20-30-${at}`,
  name,
}));

export const PRODUCTS: unknown[] = [YOGA_PRODUCT, BARE, ...GYMS];

function period(pbp_id: string, type: string, count: number, label: string, price: string) {
  return {
    pbp_id,
    interval_type: type,
    interval_count: count,
    label,
    price,
    currency: "NPR",
    is_current: true,
    is_archived: false,
    offers: [
      {
        id: `offer-${pbp_id}`,
        discount_amount: "100.00",
        starts_at: "2026-01-01",
        valid_until: "2020-01-01",
      },
    ],
  };
}

interface Given {
  status: string;
  name: string;
  phone: string;
  days: number | null;
  more?: Record<string, unknown>;
}

/** One subscription of each kind; with the fillers below they make two pages. */
const KINDS: Given[] = [
  { status: "active", name: "Asmita Active", phone: "9800000001", days: 12 },
  { status: "active", name: "Prem Prompt", phone: "9800000002", days: 20 },
  { status: "due", name: "Dipak Due", phone: "9800000003", days: -2 },
  { status: "pending_cancellation", name: "Ending Endo", phone: "9800000004", days: 5 },
  { status: "pending_checkout", name: "Waiting Wangdi", phone: "9800000005", days: null },
  { status: "cancelled", name: "Kiran Cancelled", phone: "9800000006", days: 9 },
  { status: "inactive", name: "Indra Inactive", phone: "9800000007", days: null },
  { status: "paused", name: "Puja Paused", phone: "9800000008", days: 30 },
  { status: "trialing", name: "Tara Trialing", phone: "9800000009", days: 8 },
  {
    status: "active",
    name: "Lifa Lifetime",
    phone: "9800000010",
    days: null,
    more: {
      current_period_start: momentInDays(-3),
      current_period_end: momentInDays(36_000),
      purchase_type: "one_off",
    },
  },
  {
    status: "active",
    name: "",
    phone: "9800000011",
    days: 3,
    more: { client: { phone: "9800000011", full_name: null, billing: null }, product: null },
  },
];

function subscription({ status, name, phone, days, more = {} }: Given): OtherSubscription {
  return {
    subscription_id: randomUUID(),
    status,
    client: {
      phone,
      full_name: name,
      email: `${phone}@example.com`,
      loyalty: { tier: "gold" },
      billing: { business_name: "Himal & Sons", pan_vat: "012345678" },
    },
    product: {
      name: YOGA_PRODUCT.name,
      plan_name: "Morning",
      pbp_id: "pbp_moon",
      label: "Each moon",
      price: "1200",
      currency: "NPR",
    },
    current_period_start: days === null ? null : momentInDays(days - 30),
    current_period_end: days === null ? null : momentInDays(days),
    next_billing_cycle: days === null ? null : momentInDays(days),
    created_at: "2026-03-04T05:06:07+05:45",
    mood: ["calm"],
    ...more,
  };
}

export function makeSubscriptions(): OtherSubscription[] {
  const fill = Array.from({ length: 14 }, (_, at) => ({
    status: "active",
    name: `Filler ${at + 1}`,
    phone: `98111111${String(at).padStart(2, "0")}`,
    days: at + 40,
  }));
  return [...KINDS, ...fill].map(subscription);
}

/** The subscription that a create call makes for a new buyer. */
export function createdSubscription(
  client: Record<string, unknown>,
  pbp_id: string,
): OtherSubscription {
  return {
    ...subscription({ status: "pending_checkout", name: "", phone: "", days: null }),
    client,
    product: {
      name: YOGA_PRODUCT.name,
      pbp_id,
      label: "Each moon",
      price: "1200",
      currency: "NPR",
    },
  };
}

export const CUSTOMERS: Record<string, unknown>[] = [
  {
    id: "41",
    buyer_phone: "9800000001",
    buyer_email: "9800000001@example.com",
    full_name: "Asmita Active",
    created_at: "2026-03-04T05:06:07+05:45",
  },
  { id: 42, buyer_phone: "9800000011", full_name: "", created_at: "2026-03-04 05:06:07" },
  { id: 43, buyer_phone: "9800000003", full_name: null, buyer_email: null, vip: true },
];
