import { randomBytes } from "node:crypto";
import * as z from "zod";
import { fromMinorUnits, minorUnits } from "#contract/amount.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";
import { objectOf, secretText } from "../outgoing/settings.ts";
import {
  askProvider,
  environmentSetting,
  defineProvider,
  faultOf,
  idOf,
  paidInRupees,
  jsonFields,
  pageUrlOf,
  providerPath,
  providerUrl,
  timeLimits,
  wordOf,
} from "./define-provider.ts";
import type {
  BeginAnswer,
  InquiryAnswer,
  ListedPayment,
  PaymentListPage,
  PaymentListQuery,
  ProviderCharge,
  RefundAnswer,
} from "./provider.ts";

const HOSTS = { test: "https://dev.khalti.com", live: "https://khalti.com" };
const PORTALS = { test: "test-admin.khalti.com", live: "admin.khalti.com" };

const KhaltiSettings = z.strictObject({
  ...environmentSetting,
  secretKey: secretText().describe("The secret key from Khalti's merchant dashboard."),
  baseUrl: providerUrl().describe("Khalti's address, without a path."),
  initiatePath: providerPath("/api/v2/epayment/initiate/", "The path that begins a payment."),
  lookupPath: providerPath(
    "/api/v2/epayment/lookup/",
    "The path that returns a payment's state.",
  ),
  refundPath: z
    .string()
    .startsWith("/")
    .includes("{transaction_id}")
    .max(200)
    .default("/api/merchant-transaction/{transaction_id}/refund/")
    .describe("The path that refunds a transaction."),
  listPath: providerPath("/api/merchant-transaction/", "The path that lists transactions."),
  unknownPayments: z
    .enum(["task", "ignore"])
    .default("task")
    .describe(
      "Whether payments that Khalti lists and Duebook does not know become tasks; ignore them if you take Khalti elsewhere too.",
    ),
  feeUnit: z
    .enum(["paisa", "rupees", "unknown"])
    .default("paisa")
    .describe("The unit of the fee in Khalti's answers; its documents do not say."),
  partialRefundUnit: z
    .enum(["paisa", "rupees", "by_hand"])
    .default("by_hand")
    .describe("The unit of a partial refund's amount; by hand until Khalti confirms a unit."),
  portal: z.string().max(100).optional().describe("Where refunds are made by hand."),
  ...timeLimits,
});
type KhaltiSettings = z.infer<typeof KhaltiSettings>;

const urlOf = ({ environment, baseUrl }: KhaltiSettings, path: string) =>
  `${baseUrl ?? HOSTS[environment]}${path}`;
const authorization = ({ secretKey }: KhaltiSettings) => ({
  authorization: `Key ${secretKey}`,
});
const portalOf = ({ environment, portal }: KhaltiSettings) => portal ?? PORTALS[environment];

/** Khalti's time has an offset; one without is Nepal's. */
function timeOf(value: unknown): Date | null {
  if (typeof value !== "string") return null;
  const hasOffset = /(Z|[+-]\d{2}:?\d{2})$/.test(value);
  const time = new Date(hasOffset ? value : `${value}+05:45`);
  return Number.isNaN(time.getTime()) ? null : time;
}

const LEAST_PAISA = 1_000n;

/** Names of a request's fields about which Khalti can complain. */
const FIELDS = [
  "return_url",
  "website_url",
  "amount",
  "purchase_order_id",
  "purchase_order_name",
];

function refusalOf(body: Record<string, unknown>, paisa: bigint): BeginAnswer | null {
  const wrong = FIELDS.filter((name) => body[name] !== undefined);
  if (body.error_key !== "validation_error" && wrong.length === 0) return null;
  const text = `Khalti refused the request: ${wrong.join(", ") || "validation error"}.`;
  if (!wrong.includes("amount")) return { state: "refused", why: "request", text };
  const why = paisa < LEAST_PAISA ? "amount_too_small" : "amount_too_large";
  return { state: "refused", why, text };
}

async function lookUp(
  charge: ProviderCharge,
  settings: KhaltiSettings,
  io: GatewayIo,
): Promise<Record<string, unknown>> {
  const { body, answer } = await askProvider(
    {
      method: "POST",
      url: urlOf(settings, settings.lookupPath),
      seconds: settings.askSeconds,
      ...withKey(settings, { pidx: charge.reference }),
    },
    io,
  );
  // Khalti answers 400 for an expired or cancelled payment, with an ordinary body.
  if (body.pidx === charge.reference && typeof body.status === "string") return body;
  throw faultOf(answer);
}

const withKey = (settings: KhaltiSettings, fields: Record<string, unknown>) => {
  const { headers, body } = jsonFields(fields);
  return { headers: { ...headers, ...authorization(settings) }, body };
};

function feeOf(fee: unknown, { feeUnit }: KhaltiSettings): string | null {
  if (feeUnit === "unknown") return null;
  return feeUnit === "paisa" ? fromMinorUnits(fee, 2) : fromMinorUnits(fee, 0);
}

function readLookup(body: Record<string, unknown>, settings: KhaltiSettings): InquiryAnswer {
  const status = String(body.status);
  const amount = fromMinorUnits(body.total_amount, 2);
  switch (status.toLowerCase()) {
    case "completed": {
      if (body.refunded === true) return { state: "refunded", amount: null };
      const fee = feeOf(body.fee, settings);
      return paidInRupees("Completed", amount, idOf(body.transaction_id), fee);
    }
    case "pending":
    case "initiated":
      return { state: "pending" };
    case "expired":
    case "user canceled":
      return { state: "left" };
    case "refunded":
      return { state: "refunded", amount };
    default:
      return { state: "held", word: wordOf(status) };
  }
}

async function refund(
  charge: ProviderCharge,
  { amount }: { amount: string },
  settings: KhaltiSettings,
  io: GatewayIo,
): Promise<RefundAnswer> {
  const by_hand = { state: "by_hand", where: portalOf(settings) } as const;
  const isPartial = minorUnits(amount, 2) !== minorUnits(charge.amount, 2);
  if (isPartial && settings.partialRefundUnit === "by_hand") return by_hand;
  const known = readLookup(await lookUp(charge, settings, io), settings);
  if (known.state === "refunded") return { state: "done", refund_id: null };
  // For example, a payment of which a part was given back before.
  if (known.state === "held") return by_hand;
  if (known.state !== "approved")
    return { state: "refused", text: "Khalti does not call it completed.", again: true };
  const partial =
    settings.partialRefundUnit === "paisa" ? Number(minorUnits(amount, 2)) : amount;
  const path = settings.refundPath.replace(
    "{transaction_id}",
    encodeURIComponent(known.transaction_id),
  );
  const { answer, body, isSuccess } = await askProvider(
    {
      method: "POST",
      url: urlOf(settings, path),
      seconds: settings.beginSeconds,
      ...(isPartial
        ? withKey(settings, { amount: partial })
        : { headers: authorization(settings) }),
    },
    io,
  );
  if (isSuccess && typeof body.detail === "string") return { state: "done", refund_id: null };
  if (answer.kind !== "answered" || answer.status !== 400 || Object.keys(body).length === 0)
    throw faultOf(answer);
  // A payment through a bank is refunded to a Khalti account, which only the buyer can name.
  if (body.mobile !== undefined) return by_hand;
  return { state: "refused", text: "Khalti refused the refund.", again: false };
}

/** The states of a transaction in Khalti's list, whose documents do not name them all. */
const LISTED: Record<string, ListedPayment["state"]> = {
  completed: "paid",
  refunded: "refunded",
  "partially refunded": "refunded",
  pending: "unpaid",
  initiated: "unpaid",
  expired: "unpaid",
  failed: "unpaid",
  "user canceled": "unpaid",
};

/** The fields are not documented for KPG-2; these are the ones that Khalti's clients read. */
function readListed(record: unknown, { unknownPayments }: KhaltiSettings): ListedPayment {
  const { idx, amount, state, refunded, created_on } = objectOf(record);
  const word = String(objectOf(state).name ?? state).toLowerCase();
  return {
    reference: null,
    transaction_id: idOf(idx),
    amount: fromMinorUnits(amount, 2),
    currency: "NPR",
    state: refunded === true ? "refunded" : (LISTED[word] ?? "unclear"),
    at: timeOf(created_on),
    isOther: unknownPayments === "ignore",
  };
}

/** A page of the transactions, which Khalti lists for all times and in its own order. */
async function list(
  { from, page }: PaymentListQuery,
  settings: KhaltiSettings,
  io: GatewayIo,
): Promise<PaymentListPage> {
  const number = page === null ? 1 : Number(page);
  const { answer, body, isSuccess } = await askProvider(
    {
      method: "GET",
      url: `${urlOf(settings, settings.listPath)}?page=${number}`,
      seconds: settings.askSeconds,
      headers: authorization(settings),
    },
    io,
  );
  if (!isSuccess || !Array.isArray(body.records)) throw faultOf(answer);
  const payments = body.records.map((record) => readListed(record, settings));
  const times = payments.flatMap(({ at }) => at?.getTime() ?? []);
  const isNewestFirst = times.every((time, place) => time <= (times[place - 1] ?? time));
  const isOver =
    payments.length === 0 ||
    (isNewestFirst && times.length > 1 && times.every((time) => time < from.getTime()));
  const isLast = !(Number(body.total_pages) > number) && typeof body.next !== "string";
  return { payments, next: isOver || isLast ? null : String(number + 1) };
}

/** Khalti ePayment (KPG-2), https://docs.khalti.com/khalti-epayment/. */
export const khalti = defineProvider<KhaltiSettings>({
  provider: "khalti",
  label: "Khalti",
  method: "wallet",
  settings: KhaltiSettings,
  secrets: ["secretKey"],
  merchant: [],
  can: {
    currencies: ["NPR"],
    least: "10.00",
    most: null,
    refund: "partial",
    repeatBegin: false,
    repeatRefund: "whole",
    identifyBuyer: true,
  },
  formTargets: () => [],
  referenceOf: () => null,
  begin: async (charge, details, settings, io) => {
    const paisa = minorUnits(charge.amount, 2);
    if (charge.currency !== "NPR" || paisa === null)
      return { state: "refused", why: "currency", text: "Khalti takes rupees of Nepal only." };
    const { answer, body, isSuccess } = await askProvider(
      {
        method: "POST",
        url: urlOf(settings, settings.initiatePath),
        seconds: settings.beginSeconds,
        ...withKey(settings, {
          return_url: details.return_url,
          website_url: details.website,
          amount: Number(paisa),
          purchase_order_id: charge.charge_id,
          purchase_order_name: details.label,
        }),
      },
      io,
    );
    const reference = pidxOf(body.pidx);
    const url = pageUrlOf(body.payment_url, io);
    if (isSuccess && reference && url)
      return {
        state: "begun",
        reference,
        hand_over: { kind: "redirect", url },
        expires_at: timeOf(body.expires_at),
      };
    const isRefused = answer.kind === "answered" && answer.status === 400;
    const refusal = isRefused ? refusalOf(body, paisa) : null;
    if (refusal) return refusal;
    throw faultOf(answer);
  },
  inquire: async (charge, settings, io) =>
    readLookup(await lookUp(charge, settings, io), settings),
  portalOf,
  refund,
  list,
  readReturn: ({ pidx }) => pidxOf(pidx),
  check: async (settings, io) => {
    const { answer, body } = await askProvider(
      {
        method: "POST",
        url: urlOf(settings, settings.lookupPath),
        seconds: settings.askSeconds,
        ...withKey(settings, { pidx: randomBytes(11).toString("hex") }),
      },
      io,
    );
    const isUnknown =
      answer.kind === "answered" && (answer.status === 400 || answer.status === 404);
    if (isUnknown && body.detail === "Not found.")
      return { ok: true, text: "Khalti accepts the key." };
    throw faultOf(answer);
  },
});

const pidxOf = (value: unknown): string | null =>
  typeof value === "string" && /^[A-Za-z0-9]{1,64}$/.test(value) ? value : null;
