import { createHmac, randomUUID } from "node:crypto";
import * as z from "zod";
import { shortAmount } from "#contract/amount.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";
import {
  askProvider,
  basicOf,
  defineProvider,
  faultOf,
  jsonFields,
  providerPath,
  providerUrl,
  type ProviderAnswer,
} from "./define-provider.ts";
import {
  fonepayAccount,
  fonepayReference,
  fonepaySignature,
  isUnseen,
  readFonepay,
  refuseCredentials,
} from "./fonepay-account.ts";
import type { ProviderCharge } from "./provider.ts";
import { nepalDay, plainLabel, readReference } from "./reference.ts";

const PAGES = {
  test: "https://dev-clientapi.fonepay.com/api/merchantRequest",
  live: "https://clientapi.fonepay.com/api/merchantRequest",
};
/** Hosts of the API for QR codes; as far as is known, verification uses them too. */
const APIS = {
  test: "https://uat-new-merchant-api.fonepay.com/api",
  live: "https://merchantapi.fonepay.com/api",
};
const ROOM = "/merchant/merchantDetailsForThirdParty";

const FonepaySettings = z.strictObject({
  ...fonepayAccount,
  pageUrl: providerUrl().describe("The page to which the buyer is sent."),
  verificationBase: providerUrl().describe(
    "The address for requests about payments, before the path.",
  ),
  verificationPath: providerPath(
    `${ROOM}/txnVerification`,
    "The path that returns a payment's state; it is part of the signed text.",
  ),
});
type FonepaySettings = z.infer<typeof FonepaySettings>;

/** The signature of a request: over the user, the password, the method, the path and the body. */
export const fonepayAuth = (
  { secretKey, username, password }: { secretKey: string; username: string; password: string },
  path: string,
  body: string,
): string =>
  createHmac("sha512", secretKey)
    .update([username, password, "POST", "application/json", path, body].join(","))
    .digest("hex");

function pageOf(
  charge: ProviderCharge,
  { label, return_url }: { label: string; return_url: string },
  settings: FonepaySettings,
): string {
  const { year, month, day } = nepalDay(charge.begun_at);
  const fields = {
    PID: settings.merchantCode,
    MD: "P",
    PRN: fonepayReference(charge.charge_id),
    AMT: shortAmount(charge.amount),
    CRN: "NPR",
    DT: `${month}/${day}/${year}`,
    R1: plainLabel(label, 160),
    R2: "N/A",
    RU: return_url,
  };
  const url = new URL(settings.pageUrl ?? PAGES[settings.environment]);
  for (const [name, text] of Object.entries(fields)) url.searchParams.set(name, text);
  url.searchParams.set("DV", fonepaySignature(settings.secretKey, Object.values(fields)));
  return url.href;
}

function verify(
  asked: { prn: string; amount: string },
  settings: FonepaySettings,
  io: GatewayIo,
): Promise<ProviderAnswer> {
  const { merchantCode, username, password, verificationPath, environment } = settings;
  const { headers, body } = jsonFields({
    prn: asked.prn,
    merchantCode,
    amount: shortAmount(asked.amount),
  });
  return askProvider(
    {
      method: "POST",
      url: `${settings.verificationBase ?? APIS[environment]}${verificationPath}`,
      seconds: settings.askSeconds,
      headers: {
        ...headers,
        authorization: basicOf(username, password),
        auth: fonepayAuth(settings, verificationPath, body),
      },
      body,
    },
    io,
  );
}

const NOT_RUPEES = {
  state: "refused",
  why: "currency",
  text: "Fonepay takes rupees of Nepal only.",
} as const;
const CAN = {
  currencies: ["NPR"],
  least: "1.00",
  most: null,
  refund: "none",
  repeatRefund: "always",
  identifyBuyer: true,
} as const;

/**
 * Reads the answer to a check, which asks about an unknown payment: whatever it says of that
 * payment, the account works unless it is refused.
 */
function readCheck(said: ProviderAnswer) {
  refuseCredentials(said);
  const { body, answer, isSuccess } = said;
  const isAnswered = isSuccess && typeof body.paymentStatus === "string";
  if (!isAnswered && !isUnseen(said)) throw faultOf(answer);
  return { ok: true, text: "Fonepay answers for the account." };
}

/** Fonepay's page in the browser (Web Integration 2.0), with the newer form of verification. */
export const fonepay = defineProvider<FonepaySettings>({
  provider: "fonepay",
  label: "Fonepay",
  method: "bank",
  settings: FonepaySettings,
  secrets: ["secretKey", "password"],
  merchant: ["merchantCode"],
  can: { ...CAN, repeatBegin: true },
  formTargets: () => [],
  referenceOf: fonepayReference,
  begin: (charge, details, settings) =>
    Promise.resolve(
      charge.currency === "NPR"
        ? {
            state: "begun",
            reference: fonepayReference(charge.charge_id),
            hand_over: { kind: "redirect", url: pageOf(charge, details, settings) },
            expires_at: null,
          }
        : NOT_RUPEES,
    ),
  inquire: async (charge, settings, io) => {
    const prn = fonepayReference(charge.charge_id);
    return readFonepay(
      await verify({ prn, amount: charge.amount }, settings, io),
      charge,
      settings,
    );
  },
  portalOf: ({ portal }) => portal,
  readReturn: ({ PRN }) => readReference(PRN),
  check: async (settings, io) => {
    const prn = fonepayReference(randomUUID());
    return readCheck(await verify({ prn, amount: "10.00" }, settings, io));
  },
});

const FonepayQrSettings = z.strictObject({
  ...fonepayAccount,
  merchantCode: fonepayAccount.merchantCode.max(15),
  baseUrl: providerUrl().describe("The address of Fonepay's API, before the paths."),
  downloadPath: providerPath(
    `${ROOM}/thirdPartyDynamicQrDownload`,
    "The path that makes a QR code.",
  ),
  statusPath: providerPath(
    `${ROOM}/thirdPartyDynamicQrGetStatus`,
    "The path that returns a payment's state.",
  ),
});
type FonepayQrSettings = z.infer<typeof FonepayQrSettings>;

const askQr = (
  {
    path,
    seconds,
    signed,
    fields,
  }: {
    path: string;
    seconds: number;
    signed: string[];
    fields: Record<string, string>;
  },
  { environment, baseUrl, secretKey, username, password, merchantCode }: FonepayQrSettings,
  io: GatewayIo,
) =>
  askProvider(
    {
      method: "POST",
      url: `${baseUrl ?? APIS[environment]}${path}`,
      seconds,
      ...jsonFields({
        ...fields,
        merchantCode,
        dataValidation: fonepaySignature(secretKey, signed),
        username,
        password,
      }),
    },
    io,
  );

const askStatus = (prn: string, settings: FonepayQrSettings, io: GatewayIo) =>
  askQr(
    {
      path: settings.statusPath,
      seconds: settings.askSeconds,
      signed: [prn, settings.merchantCode],
      fields: { prn },
    },
    settings,
    io,
  );

/** Fonepay's dynamic QR code (version 1.1): the buyer scans it with the app of their bank. */
export const fonepayQr = defineProvider<FonepayQrSettings>({
  provider: "fonepay_qr",
  label: "Fonepay QR",
  method: "bank",
  settings: FonepayQrSettings,
  secrets: ["secretKey", "password"],
  merchant: ["merchantCode"],
  can: { ...CAN, repeatBegin: false },
  formTargets: () => [],
  referenceOf: fonepayReference,
  begin: async (charge, { label }, settings, io) => {
    if (charge.currency !== "NPR") return NOT_RUPEES;
    const prn = fonepayReference(charge.charge_id);
    const amount = shortAmount(charge.amount);
    const [remarks1, remarks2] = [plainLabel(label, 25), "N/A"];
    const said = await askQr(
      {
        path: settings.downloadPath,
        seconds: settings.beginSeconds,
        signed: [amount, prn, settings.merchantCode, remarks1, remarks2],
        fields: { amount, remarks1, remarks2, prn },
      },
      settings,
      io,
    );
    const { body, answer, isSuccess } = said;
    if (isSuccess && body.success === true && typeof body.qrMessage === "string")
      return {
        state: "begun",
        reference: prn,
        hand_over: { kind: "qr", text: body.qrMessage },
        expires_at: null,
      };
    refuseCredentials(said);
    const isRefused = body.errorCode !== undefined || body.success === false;
    if (!isRefused) throw faultOf(answer);
    return {
      state: "refused",
      why: "request",
      text: "Fonepay refused the request for a code.",
    };
  },
  inquire: async (charge, settings, io) =>
    readFonepay(
      await askStatus(fonepayReference(charge.charge_id), settings, io),
      charge,
      settings,
    ),
  portalOf: ({ portal }) => portal,
  readReturn: () => null,
  check: async (settings, io) =>
    readCheck(await askStatus(fonepayReference(randomUUID()), settings, io)),
});
