import { createPrivateKey, createSign } from "node:crypto";
import * as z from "zod";
import { fromMinorUnits, minorUnits } from "#contract/amount.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";
import { secretText } from "../outgoing/settings.ts";
import {
  askProvider,
  basicOf,
  environmentSetting,
  defineProvider,
  faultOf,
  furtherOrigins,
  idOf,
  jsonFields,
  providerPath,
  providerUrl,
  timeLimits,
  wordOf,
} from "./define-provider.ts";
import { ProviderFault, type InquiryAnswer, type ProviderCharge } from "./provider.ts";
import { isOver, nepalDay, plainLabel, readReference, shortReference } from "./reference.ts";

const HOSTS = { test: "https://uat.connectips.com", live: "https://login.connectips.com" };
const REFERENCE_LENGTH = 20;

/** A text inside the comma-separated signed string. */
const signedText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[\w ./-]+$/);

const ConnectIpsSettings = z.strictObject({
  ...environmentSetting,
  merchantId: z.int().positive().describe("The merchant id from NCHL."),
  appId: signedText(20).describe("The id of the app, for example MER-550-APP-1."),
  appName: signedText(30).describe("The name of the app, as it is registered."),
  password: secretText(200).describe("The password of the app, for requests about payments."),
  privateKey: z
    .string()
    .max(8_000)
    .overwrite(withLines)
    .refine(isRsaKey, { error: "Give an RSA private key as PEM, without a password." })
    .describe("The private key of CREDITOR.pfx, as PEM without a password."),
  baseUrl: providerUrl().describe("The address of connectIPS, without a path."),
  redirectOrigins: furtherOrigins(),
  formPath: providerPath("/connectipswebgw/loginpage", "Where the buyer's form is posted to."),
  validatePath: providerPath(
    "/connectipswebws/api/creditor/validatetxn",
    "The path that returns a payment's state.",
  ),
  detailPath: providerPath(
    "/connectipswebws/api/creditor/gettxndetail",
    "The path that returns a payment's fee and bank.",
  ),
  sessionMinutes: z
    .int()
    .min(5)
    .max(1_440)
    .default(60)
    .describe("Minutes after which a payment that is not found means that the buyer left."),
  portal: z
    .string()
    .max(100)
    .default("the bank that registered the app")
    .describe("Where refunds are made by hand."),
  ...timeLimits,
});
type ConnectIpsSettings = z.infer<typeof ConnectIpsSettings>;

/** Restores the line breaks of a PEM key, which a one-line form field removes. */
function withLines(pem: string): string {
  const [, kind, content] =
    /^-----BEGIN ([A-Z ]+)-----([^-]+)-----END \1-----\s*$/.exec(pem) ?? [];
  if (!kind || !content) return pem;
  const lines = content.replace(/\s/g, "").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n");
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** The token of connectIPS: RSA (PKCS #1 v1.5) with SHA-256 over `name=value` pairs. */
export const connectIpsToken = (
  privateKey: string,
  fields: readonly (readonly [name: string, text: string])[],
): string =>
  createSign("RSA-SHA256")
    .update(fields.map(([name, text]) => `${name}=${text}`).join(","))
    .sign(privateKey, "base64");

const urlOf = ({ environment, baseUrl }: ConnectIpsSettings, path: string) =>
  `${baseUrl ?? HOSTS[environment]}${path}`;

const referenceOf = (charge_id: string) => shortReference(charge_id, REFERENCE_LENGTH);

function formOf(
  charge: ProviderCharge,
  paisa: bigint,
  label: string,
  settings: ConnectIpsSettings,
) {
  const { year, month, day } = nepalDay(charge.begun_at);
  const reference = referenceOf(charge.charge_id);
  const fields = {
    MERCHANTID: String(settings.merchantId),
    APPID: settings.appId,
    APPNAME: settings.appName,
    TXNID: reference,
    TXNDATE: `${day}-${month}-${year}`,
    TXNCRNCY: "NPR",
    TXNAMT: String(paisa),
    REFERENCEID: reference,
    REMARKS: plainLabel(label, 50),
    PARTICULARS: plainLabel(label, 100),
  };
  const signed = [...Object.entries(fields), ["TOKEN", "TOKEN"] as const];
  return { ...fields, TOKEN: connectIpsToken(settings.privateKey, signed) };
}

interface Asked {
  reference: string;
  paisa: bigint;
}

async function ask(
  path: string,
  { reference, paisa }: Asked,
  settings: ConnectIpsSettings,
  io: GatewayIo,
): Promise<Record<string, unknown> & { status: string }> {
  const { merchantId, appId, password, privateKey } = settings;
  const token = connectIpsToken(privateKey, [
    ["MERCHANTID", String(merchantId)],
    ["APPID", appId],
    ["REFERENCEID", reference],
    ["TXNAMT", String(paisa)],
  ]);
  const { headers, body: text } = jsonFields({
    merchantId,
    appId,
    referenceId: reference,
    txnAmt: String(paisa),
    token,
  });
  const { answer, body } = await askProvider(
    {
      method: "POST",
      url: urlOf(settings, path),
      seconds: settings.askSeconds,
      headers: { ...headers, authorization: basicOf(appId, password) },
      body: text,
    },
    io,
  );
  if (typeof body.status === "string" && body.referenceId === reference)
    return { ...body, status: body.status };
  throw faultOf(answer);
}

/** Codes of the credit that connectIPS calls a success. */
const CREDITED = new Set(["000", "999", "DEFER"]);

/**
 * The transaction's id, the fee and the state of the credit. The payment is proved already, so a
 * fault here changes nothing.
 */
async function detailOf(
  asked: Asked,
  settings: ConnectIpsSettings,
  io: GatewayIo,
): Promise<{ transaction_id: string; fee: string | null; credit: string | null }> {
  try {
    const detail = await ask(settings.detailPath, asked, settings, io);
    const credit = typeof detail.creditStatus === "string" ? detail.creditStatus : null;
    const isOurs = detail.chargeLiability === "MN";
    return {
      transaction_id: idOf(detail.txnId) ?? asked.reference,
      fee: isOurs ? fromMinorUnits(detail.chargeAmt, 2) : null,
      credit,
    };
  } catch {
    return { transaction_id: asked.reference, fee: null, credit: null };
  }
}

async function inquire(
  charge: ProviderCharge,
  settings: ConnectIpsSettings,
  io: GatewayIo,
): Promise<InquiryAnswer> {
  const paisa = minorUnits(charge.amount, 2);
  if (paisa === null)
    throw new ProviderFault("unknown", "The amount cannot be written in paisa.");
  const asked = { reference: referenceOf(charge.charge_id), paisa };
  const { status, txnAmt } = await ask(settings.validatePath, asked, settings, io);
  switch (status) {
    case "SUCCESS": {
      const amount = fromMinorUnits(txnAmt, 2);
      const { transaction_id, fee, credit } = await detailOf(asked, settings, io);
      if (amount === null) return { state: "held", word: "SUCCESS, incomplete answer" };
      if (credit !== null && !CREDITED.has(credit))
        return { state: "held", word: `SUCCESS, credit ${wordOf(credit)}`.slice(0, 40) };
      return { state: "approved", amount, currency: "NPR", transaction_id, fee, at: null };
    }
    case "FAILED":
      return { state: "failed", reason: "declined" };
    // connectIPS answers so before the buyer has signed in, and while the payment is still at the
    // bank.
    case "ERROR":
      return { state: isOver(charge.begun_at, settings.sessionMinutes) ? "left" : "pending" };
    default:
      return { state: "held", word: wordOf(status) };
  }
}

/** connectIPS of NCHL, https://doc.connectips.com. */
export const connectIps = defineProvider<ConnectIpsSettings>({
  provider: "connectips",
  label: "connectIPS",
  method: "bank",
  settings: ConnectIpsSettings,
  secrets: ["password", "privateKey"],
  merchant: ["merchantId", "appId"],
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
    new URL(urlOf(settings, "/")).origin,
    ...(settings.redirectOrigins ?? []),
  ],
  referenceOf,
  begin: (charge, { label }, settings) => {
    const paisa = minorUnits(charge.amount, 2);
    return Promise.resolve(
      charge.currency === "NPR" && paisa !== null
        ? {
            state: "begun",
            reference: referenceOf(charge.charge_id),
            hand_over: {
              kind: "form",
              action: urlOf(settings, settings.formPath),
              fields: formOf(charge, paisa, label, settings),
            },
            expires_at: null,
          }
        : { state: "refused", why: "currency", text: "connectIPS takes rupees of Nepal only." },
    );
  },
  inquire,
  portalOf: ({ portal }) => portal,
  readReturn: ({ TXNID }) => readReference(TXNID),
  check: async (settings, io) => {
    const reference = shortReference(crypto.randomUUID(), REFERENCE_LENGTH);
    const { status } = await ask(
      settings.validatePath,
      { reference, paisa: 1_000n },
      settings,
      io,
    );
    return status === "ERROR"
      ? { ok: true, text: "connectIPS accepts the password and answers for the app." }
      : { ok: false, text: "connectIPS knows a payment that was never made." };
  },
});
