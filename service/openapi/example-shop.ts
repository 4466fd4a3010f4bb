/** Ids and names of the fictitious shop that all examples of the API description use. */
export const EXAMPLE_SUBSCRIPTION_ID = "7f3c2a19-0b1d-4c57-9a2e-5d8e41b0c6f7";
export const EXAMPLE_PBP_ID = "pbp_monthly_litre";
const EVENT_ID = "e1d5b2a7-4c38-4f96-8d02-6b7a9c3f1e50";
export const EXAMPLE_TIME = "2026-03-10T06:00:00.000Z";
export const EXAMPLE_PERIOD_END = "2026-04-10T06:15:00.000Z";

export const examplePageOf = <Row>(row: Row) => ({
  count: 1,
  next: null,
  previous: null,
  results: [row],
});

export const examplePerson = {
  phone: "9800000001",
  full_name: "Asmita Rai",
  email: "asmita@example.com",
  address: "Patan, Lalitpur",
};
const exampleProduct = {
  product_id: "2b9d3c54-61a8-4e0f-8a37-92d1f0c7b5e4",
  name: "Fresh Milk at the Door",
  plan_name: "One litre",
  pbp_id: EXAMPLE_PBP_ID,
  label: "Monthly",
  price: "1000.00",
  currency: "NPR",
};
export const Subscription = {
  subscription_id: EXAMPLE_SUBSCRIPTION_ID,
  status: "active",
  is_active: true,
  client: {
    ...examplePerson,
    billing: {
      business_name: "Rai Stores",
      email: "accounts@example.com",
      address: "Patan, Lalitpur",
      pan_vat: "301234567",
    },
    shipping: null,
  },
  product: exampleProduct,
  current_period_start: EXAMPLE_TIME,
  current_period_end: EXAMPLE_PERIOD_END,
  next_billing_cycle: EXAMPLE_PERIOD_END,
  created_at: EXAMPLE_TIME,
};
export const Product = {
  product_id: exampleProduct.product_id,
  name: exampleProduct.name,
  description: "A litre each morning.",
  type: "simple",
  is_active: true,
  terms_and_conditions: "Bottles are returned.",
  features_and_benefits: "From the day's milking.",
  vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: 13 },
  product_image: [{ image: "https://billing.example/media/milk.svg", image_order: 1 }],
  plan: [
    {
      plan_id: "9c1e7a80-35f2-4b6d-a1d4-7e0b92c8f613",
      plan_name: exampleProduct.plan_name,
      description: "One litre a day.",
      billing_periods: [
        {
          pbp_id: EXAMPLE_PBP_ID,
          interval_type: "month",
          interval_count: 1,
          label: exampleProduct.label,
          price: exampleProduct.price,
          currency: exampleProduct.currency,
          is_current: true,
          is_limited: false,
          is_archived: false,
          offers: [
            {
              id: "c4a0d7e2-8b19-4f35-b6c3-1d92e5f7a084",
              discount_amount: 100,
              starts_at: "2026-03-01",
              valid_until: "2026-03-31",
              is_active: true,
            },
          ],
        },
      ],
    },
  ],
  total_subscribers: "12",
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};
export const Customer = {
  id: 1,
  buyer_phone: examplePerson.phone,
  buyer_email: examplePerson.email,
  full_name: examplePerson.full_name,
  created_at: EXAMPLE_TIME,
};
export const Webhook = {
  id: 1,
  event: "checkout.succeeded",
  endpoint_url: "https://shop.example/hook",
  is_active: true,
  created_at: EXAMPLE_TIME,
};

export const subscriptionData = {
  product_id: exampleProduct.product_id,
  pbp_id: EXAMPLE_PBP_ID,
  current_period_start: EXAMPLE_TIME,
  current_period_end: EXAMPLE_PERIOD_END,
  next_billing_cycle: EXAMPLE_PERIOD_END,
};

export const Event = {
  id: EVENT_ID,
  event: "checkout.succeeded",
  type: "checkout.succeeded",
  timestamp: EXAMPLE_TIME,
  subscription_id: EXAMPLE_SUBSCRIPTION_ID,
  old_status: "pending_checkout",
  new_status: "active",
  reason: "payment",
  data: {
    ...subscriptionData,
    payment_id: "d6061684-2f0e-4b3a-9c57-81e4a7d09b26",
    amount: "1130.00",
    currency: "NPR",
    vat: "130.00",
    fee: "22.49",
    method: "wallet",
    provider_reference: "5b0f7a36-9c41-4d0e-8f27-a1c3e5d70b94",
    paid_at: EXAMPLE_TIME,
  },
};

export const EXAMPLE_VERSION = "0f6f5a60-6b0e-4d52-8b0c-3f2f4a1c9e55";
