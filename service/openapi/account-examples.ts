import {
  EXAMPLE_PBP_ID,
  EXAMPLE_PERIOD_END,
  EXAMPLE_TIME,
  EXAMPLE_VERSION,
  examplePageOf,
  Product,
} from "./example-shop.ts";
import { BILL_EXAMPLES } from "./bill-examples.ts";
import { BUYER_EXAMPLES } from "./buyer-examples.ts";
import { LEDGER_EXAMPLES } from "./ledger-examples.ts";
import { PAYMENT_EXAMPLES } from "./payment-examples.ts";
import { PAYMENT_ACCOUNT_EXAMPLES } from "./payment-account-examples.ts";
import { REMINDER_EXAMPLES } from "./reminder-examples.ts";

const AccountKey = {
  id: 2,
  kind: "api_key",
  mode: "test",
  name: "Web shop",
  scopes: ["read", "write"],
  prefix: "0a1b2c3d4e5f",
  last_four: "x7Qk",
  state: "active",
  created_at: EXAMPLE_TIME,
  expires_at: EXAMPLE_PERIOD_END,
  last_used_at: EXAMPLE_TIME,
  last_used_address: "192.0.2.7",
};
const ChannelSetup = {
  channel: "sms",
  provider: "sparrow",
  settings: { baseUrl: "https://api.sparrowsms.com", from: "PhewaDairy" },
  secrets_set: ["token"],
  templates: [],
  is_active: true,
  per_minute: 60,
  problem: null,
  problem_at: null,
  report_url: "https://api.example.com/message-reports/5a0b7c1e-4f1d-4e0a-9f0e-2d9a4f6c8b13",
  version: EXAMPLE_VERSION,
};

const SentMessage = {
  id: "8f6f2f0e-6d0e-4a53-9a0b-6d3f4c1e7a22",
  kind: "code",
  state: "accepted",
  channel: "sms",
  to: "9800000001",
  subscription_id: "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1",
  language: "en",
  subject: "Your code for Phewa Dairy",
  text: null,
  error: null,
  error_code: null,
  queued_at: EXAMPLE_TIME,
  due_at: null,
  sent_at: EXAMPLE_TIME,
  state_at: EXAMPLE_TIME,
};
const EXAMPLE_IMAGE =
  "https://billing.example/media/images/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.webp";

/** A PNG of one pixel. */
const EXAMPLE_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";

const EXAMPLE_PDF = "JVBERi0xLjQKJSVFT0YK";

const Verification = {
  state: "returned",
  note: "The second page of the registration is missing.",
  legal_name: "Phewa Dairy Pvt. Ltd.",
  pan: "301234567",
  contact_name: "Asmita Rai",
  contact_phone: "9800000001",
  contact_email: "asmita@example.com",
  address: "Lakeside, Pokhara",
  documents: [
    {
      id: "5b1f0c7e-2c64-4c0e-9f5b-0d9c1a7b3e21",
      kind: "registration",
      name: "Registration.pdf",
      media_type: "application/pdf",
      bytes: 184320,
      uploaded_at: EXAMPLE_TIME,
    },
  ],
  submitted_at: EXAMPLE_TIME,
  version: EXAMPLE_VERSION,
};
const OperatorAccount = {
  account_id: 7,
  name: "Phewa Dairy",
  opened_at: EXAMPLE_TIME,
  ...Verification,
};

const AccountProduct = {
  ...Product,
  plan: Product.plan.map((plan) => ({
    ...plan,
    billing_periods: plan.billing_periods.map((one) => ({
      ...one,
      replaces: null,
      vat: Product.vat,
    })),
  })),
  version: EXAMPLE_VERSION,
};

const movePreview = {
  from: EXAMPLE_PBP_ID,
  to: "pbp_5d0c7b9e31f24a68",
  subscribers: 12,
  staying: 0,
  first_day: "2026-03-15",
  last_day: "2026-04-09",
  before: { currency: "NPR", amount: "13560.00" },
  after: { currency: "NPR", amount: "14916.00" },
};

export const ACCOUNT_EXAMPLES = {
  AccountProduct,
  AccountProductPage: examplePageOf(AccountProduct),
  AccountMovePreview: movePreview,
  AccountMove: { id: 1, ...movePreview },
  UndoneMove: { id: 1, undone: 12 },
  ProductSubscribers: {
    periods: [
      {
        pbp_id: EXAMPLE_PBP_ID,
        subscribers: 12,
        move: { id: 1, to: "pbp_5d0c7b9e31f24a68", waiting: 12 },
      },
    ],
  },
  StartMove: { from: EXAMPLE_PBP_ID },
  CreateProduct: {
    name: Product.name,
    vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: "13" },
    plans: [
      {
        plan_name: "One litre",
        billing_periods: [
          { interval_type: "month", interval_count: 1, label: "Monthly", price: "1000.00" },
        ],
      },
    ],
  },
  ChangeProduct: {
    version: EXAMPLE_VERSION,
    plans: Product.plan.map(({ plan_id }) => ({
      plan_id,
      billing_periods: [{ pbp_id: EXAMPLE_PBP_ID, price: "1100.00" }],
    })),
  },
  AccountDirectory: {
    mode: "test",
    capabilities: ["profile"],
    events: ["checkout.succeeded", "payment.refunded"],
    operations: [
      {
        method: "GET",
        path: "/account/v1/profile/",
        capability: "profile",
        scope: "read",
        account_token: true,
        installation_token: false,
        before_verification: true,
      },
    ],
  },
  AccountProfile: {
    name: "Phewa Dairy",
    api_url: "https://billing.example",
    buyers_page: "https://billing.example/my/7c1e04b8a2d9",
    time_zone: "Asia/Kathmandu",
    grace_days: 7,
    api_usage_type: "payment",
    currency: "NPR",
    return_url: "https://shop.example/thanks",
    approve_payments_above: "5000.00",
    checkout_name: "Phewa Milk",
    checkout_color: "#1f5fbf",
    checkout_logo: EXAMPLE_IMAGE,
    support_email: "help@example.com",
    support_phone: "9800000001",
    pay_otherwise: "In cash at the shop, or to our account 0123 at any bank.",
    version: EXAMPLE_VERSION,
    created_at: EXAMPLE_TIME,
    credential: { kind: "account_token", scopes: [], expires_at: null },
  },
  OpenAccount: {
    reference: "c0a8e1f2",
    name: "Phewa Dairy",
    time_zone: "Asia/Kathmandu",
    currency: "NPR",
    api_usage_type: "payment",
    return_url: null,
  },
  OpenedAccount: { account_id: 7, is_verified: true },
  Verification,
  OperatorAccount,
  OperatorAccountList: { results: [OperatorAccount] },
  DocumentContent: {
    name: "Registration.pdf",
    media_type: "application/pdf",
    content: EXAMPLE_PDF,
  },
  ChangeVerification: { version: EXAMPLE_VERSION, pan: "301234567" },
  AddDocument: { kind: "registration", name: "Registration.pdf", content: EXAMPLE_PDF },
  OperatorNote: { note: "The second page of the registration is missing." },
  AccountKey,
  AccountKeyPage: examplePageOf(AccountKey),
  ChangeProfile: { version: EXAMPLE_VERSION, grace_days: 10, checkout_color: "#1f5fbf" },
  AccountImage: { url: EXAMPLE_IMAGE, width: 1200, height: 800, bytes: 94208 },
  UploadImage: { content: EXAMPLE_PNG },
  CreateKey: {
    name: AccountKey.name,
    scopes: ["read", "write"],
    expires_at: EXAMPLE_PERIOD_END,
  },
  ChangeKey: { scopes: ["read"] },
  RollKey: { overlap_hours: 24 },
  ChannelSetup,
  ChannelSetups: {
    results: [ChannelSetup],
    providers: [
      {
        provider: "sparrow",
        channel: "sms",
        settings: [
          {
            name: "token",
            kind: "secret",
            description: "The token of the API, from Sparrow's panel.",
            choices: [],
            standard: null,
            is_required: true,
          },
        ],
      },
    ],
    hour_limit: 5000,
    over_limit: { count: 12, until: "2026-03-10T07:00:00Z" },
  },
  SaveChannel: {
    provider: "sparrow",
    settings: { token: "sparrow-token", from: "PhewaDairy" },
    version: EXAMPLE_VERSION,
  },
  CheckedChannel: { ok: true, text: "Sparrow accepts the token.", credit: "812" },
  SendTestMessage: { to: "9800000001" },
  SentMessage,
  MessagePage: { next: null, results: [SentMessage] },
  ...PAYMENT_EXAMPLES,
  ...BUYER_EXAMPLES,
  ...BILL_EXAMPLES,
  ...LEDGER_EXAMPLES,
  ...PAYMENT_ACCOUNT_EXAMPLES,
  ...REMINDER_EXAMPLES,
};
