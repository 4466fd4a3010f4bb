import { generateKeyPairSync } from "node:crypto";
import { connectIpsProtocol } from "./connectips-simulator.ts";
import { esewaProtocol } from "./esewa-simulator.ts";
import { fonepayProtocol } from "./fonepay-simulator.ts";
import { GatewaySimulator } from "./gateway-simulator.ts";
import { khaltiProtocol } from "./khalti-simulator.ts";
import { stripeProtocol } from "./stripe-simulator.ts";

const KHALTI = { secretKey: "khalti-key-6b1f" };
const ESEWA = { productCode: "EPAYTEST", secretKey: "8gBm/:&EnhH.1/q" };
const CONNECTIPS = {
  merchantId: 550,
  appId: "MER-550-APP-1",
  appName: "Phewa Yoga",
  password: "connectips-password-3d90",
};
const FONEPAY = {
  merchantCode: "fonepay123",
  secretKey: "fonepay-key-a4c2",
  username: "bijayk",
  password: "fonepay-password-17e5",
};
const STRIPE = {
  secretKey: "sk_test_51SimulatedKey90ab",
  webhookSecret: "whsec_simulated77c1",
};

/**
 * A simulator of each payment provider on loopback, with the settings by which an account reaches
 * it. The key pair of connectIPS is new each time.
 * @param firstPort the providers take this one and the following four; 0 for free ones
 */
export async function startPaymentSimulators(firstPort = 0) {
  const portOf = (place: number) => (firstPort === 0 ? 0 : firstPort + place);
  let connectIpsReturns: { success: string; failure: string } | null = null;
  let stripeWebhook: string | null = null;
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const models = {
    khalti: khaltiProtocol(KHALTI),
    esewa: esewaProtocol(ESEWA),
    connectips: connectIpsProtocol({
      ...CONNECTIPS,
      publicKey,
      returns: () => connectIpsReturns,
    }),
    fonepay: fonepayProtocol(FONEPAY),
    stripe: stripeProtocol({ ...STRIPE, webhookUrl: () => stripeWebhook }),
  };
  const listen = (name: keyof typeof models, place: number) =>
    GatewaySimulator.listen(models[name].protocol, portOf(place));
  const [khalti, esewa, connectips, fonepay, stripe] = await Promise.all([
    listen("khalti", 0),
    listen("esewa", 1),
    listen("connectips", 2),
    listen("fonepay", 3),
    listen("stripe", 4),
  ]);
  const environment = "test";
  const fonepayApi = `${fonepay.url}/api`;
  const providers = {
    khalti: {
      simulator: khalti,
      book: models.khalti.book,
      settings: { environment, baseUrl: khalti.url, ...KHALTI },
    },
    esewa: {
      simulator: esewa,
      book: models.esewa.book,
      settings: {
        environment,
        formUrl: `${esewa.url}/api/epay/main/v2/form`,
        statusUrl: `${esewa.url}/api/epay/transaction/status/`,
        redirectOrigins: [],
        ...ESEWA,
      },
    },
    connectips: {
      simulator: connectips,
      book: models.connectips.book,
      settings: { environment, baseUrl: connectips.url, privateKey, ...CONNECTIPS },
    },
    fonepay: {
      simulator: fonepay,
      book: models.fonepay.book,
      settings: {
        environment,
        pageUrl: `${fonepayApi}/merchantRequest`,
        verificationBase: fonepayApi,
        ...FONEPAY,
      },
    },
    fonepay_qr: {
      simulator: fonepay,
      book: models.fonepay.book,
      settings: { environment, baseUrl: fonepayApi, ...FONEPAY },
    },
    stripe: {
      simulator: stripe,
      book: models.stripe.book,
      settings: { environment, baseUrl: stripe.url, ...STRIPE },
    },
  };
  const all = [khalti, esewa, connectips, fonepay, stripe];
  return {
    providers,
    lists: { khalti: models.khalti.list, stripe: models.stripe.list },
    stripeRefunds: models.stripe.refunds,
    stripeNoticeOf: models.stripe.noticeOf,
    /** The addresses that are registered for the app at connectIPS. */
    setConnectIpsReturns: (returns: typeof connectIpsReturns) => (connectIpsReturns = returns),
    /** The URL for Stripe's notices. */
    setStripeWebhook: (url: string | null) => (stripeWebhook = url),
    clear: () => {
      for (const each of all) each.clear();
    },
    close: async () => {
      await Promise.all(all.map((each) => each.close()));
    },
  };
}
