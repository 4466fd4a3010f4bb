import { createHmac, randomUUID } from "node:crypto";
import * as z from "zod";
import { readAmount, shortAmount } from "#contract/amount.ts";
import { objectOf, secretText } from "../outgoing/settings.ts";
import {
  askProvider,
  environmentSetting,
  defineProvider,
  faultOf,
  furtherOrigins,
  idOf,
  paidInRupees,
  providerUrl,
  timeLimits,
  wordOf,
  type ProviderAnswer,
} from "./define-provider.ts";
import { ProviderFault, type InquiryAnswer, type ProviderCharge } from "./provider.ts";
import { isOver, readReference } from "./reference.ts";

const FORMS = {
  test: "https://rc-epay.esewa.com.np/api/epay/main/v2/form",
  live: "https://epay.esewa.com.np/api/epay/main/v2/form",
};
const STATUS = {
  test: "https://rc.esewa.com.np/api/epay/transaction/status/",
  live: "https://epay.esewa.com.np/api/epay/transaction/status/",
};
const FURTHER = {
  test: ["https://rc-epay.esewa.com.np", "https://rc.esewa.com.np"],
  live: ["https://epay.esewa.com.np", "https://esewa.com.np"],
};

const EsewaSettings = z.strictObject({
  ...environmentSetting,
  productCode: z
    .string()
    .regex(/^[\w.-]{1,50}$/)
    .describe("The product code (merchant code) from eSewa."),
  secretKey: secretText().describe("The secret key that signs each payment."),
  formUrl: providerUrl().describe("Where the buyer's form is posted to."),
  statusUrl: z
    .url({ protocol: /^https?$/ })
    .max(200)
    .optional()
    .describe("Where a payment's state is requested; eSewa's documents name two live hosts."),
  redirectOrigins: furtherOrigins(),
  sessionMinutes: z
    .int()
    .min(5)
    .max(1_440)
    .default(35)
    .describe("Minutes after which NOT_FOUND means that the buyer has left."),
  portal: z
    .string()
    .max(100)
    .default("merchant.esewa.com.np")
    .describe("Where refunds are made by hand."),
  ...timeLimits,
});
type EsewaSettings = z.infer<typeof EsewaSettings>;

/** eSewa's signature of named texts, in their order. */
export const esewaSignature = (
  secretKey: string,
  fields: readonly (readonly [name: string, text: string])[],
): string =>
  createHmac("sha256", secretKey)
    .update(fields.map(([name, text]) => `${name}=${text}`).join(","))
    .digest("base64");

const formUrlOf = ({ environment, formUrl }: EsewaSettings) => formUrl ?? FORMS[environment];

function formOf(charge: ProviderCharge, return_url: string, settings: EsewaSettings) {
  const total_amount = shortAmount(charge.amount);
  const transaction_uuid = charge.charge_id;
  const product_code = settings.productCode;
  const signature = esewaSignature(settings.secretKey, [
    ["total_amount", total_amount],
    ["transaction_uuid", transaction_uuid],
    ["product_code", product_code],
  ]);
  return {
    amount: total_amount,
    tax_amount: "0",
    product_service_charge: "0",
    product_delivery_charge: "0",
    total_amount,
    transaction_uuid,
    product_code,
    success_url: return_url,
    failure_url: return_url,
    signed_field_names: "total_amount,transaction_uuid,product_code",
    signature,
  };
}

function ask(
  { amount, transaction_uuid }: { amount: string; transaction_uuid: string },
  settings: EsewaSettings,
  io: Parameters<typeof askProvider>[1],
) {
  const url = new URL(settings.statusUrl ?? STATUS[settings.environment]);
  url.searchParams.set("product_code", settings.productCode);
  // The status is found by the text of the amount as it was posted.
  url.searchParams.set("total_amount", shortAmount(amount));
  url.searchParams.set("transaction_uuid", transaction_uuid);
  return askProvider({ method: "GET", url: url.href, seconds: settings.askSeconds }, io);
}

function readStatus(
  { body, answer }: ProviderAnswer,
  charge: ProviderCharge,
  settings: EsewaSettings,
): InquiryAnswer {
  if (String(body.code) === "0" && body.status === undefined)
    throw new ProviderFault("busy", "eSewa says that its service is not available.");
  const isAbout =
    body.transaction_uuid === charge.charge_id && body.product_code === settings.productCode;
  if (typeof body.status !== "string" || !isAbout) throw faultOf(answer);
  const amount = readAmount(body.total_amount);
  switch (body.status) {
    case "COMPLETE":
      return paidInRupees("COMPLETE", amount, idOf(body.ref_id));
    case "PENDING":
      return { state: "pending" };
    case "NOT_FOUND":
      return { state: isOver(charge.begun_at, settings.sessionMinutes) ? "left" : "pending" };
    case "CANCELED":
      return { state: "left" };
    case "FULL_REFUND":
      return { state: "refunded", amount };
    default:
      return { state: "held", word: wordOf(body.status) };
  }
}

/** The reference in the `data` of a return, whose signature proves nothing that we need. */
function readReturn({ data }: Record<string, string>): string | null {
  if (!data) return null;
  // A plus sign arrives as a blank where the address was not encoded.
  const text = Buffer.from(data.replaceAll(" ", "+"), "base64").toString("utf8");
  return readReference(objectOf(JSON.parse(text)).transaction_uuid);
}

/** eSewa ePay v2, https://developer.esewa.com.np/pages/Epay. */
export const esewa = defineProvider<EsewaSettings>({
  provider: "esewa",
  label: "eSewa",
  method: "wallet",
  settings: EsewaSettings,
  secrets: ["secretKey"],
  merchant: ["productCode"],
  can: {
    currencies: ["NPR"],
    least: null,
    most: null,
    refund: "none",
    repeatBegin: true,
    repeatRefund: "always",
    identifyBuyer: true,
  },
  formTargets: (settings) => [
    new URL(formUrlOf(settings)).origin,
    ...(settings.redirectOrigins ?? FURTHER[settings.environment]),
  ],
  referenceOf: (charge_id) => charge_id,
  begin: (charge, { return_url }, settings) =>
    Promise.resolve(
      charge.currency === "NPR"
        ? {
            state: "begun",
            reference: charge.charge_id,
            hand_over: {
              kind: "form",
              action: formUrlOf(settings),
              fields: formOf(charge, return_url, settings),
            },
            expires_at: null,
          }
        : { state: "refused", why: "currency", text: "eSewa takes rupees of Nepal only." },
    ),
  inquire: async (charge, settings, io) => {
    const { amount, charge_id } = charge;
    const said = await ask({ amount, transaction_uuid: charge_id }, settings, io);
    return readStatus(said, charge, settings);
  },
  portalOf: ({ portal }) => portal,
  readReturn,
  check: async (settings, io) => {
    const transaction_uuid = randomUUID();
    const { answer, body } = await ask({ amount: "10.00", transaction_uuid }, settings, io);
    if (body.product_code !== settings.productCode || typeof body.status !== "string")
      throw faultOf(answer);
    return {
      ok: true,
      text: "eSewa answers for the product code. Only a small payment shows whether the key is right.",
    };
  },
});
