import { aakashProtocol } from "./aakash-simulator.ts";
import { anySmsProtocol } from "./any-sms-simulator.ts";
import { GatewaySimulator } from "./gateway-simulator.ts";
import { MailSimulator } from "./smtp-simulator.ts";
import { sparrowProtocol } from "./sparrow-simulator.ts";
import { twilioProtocol } from "./twilio-simulator.ts";
import { whatsAppProtocol } from "./whatsapp-simulator.ts";

const SPARROW = { token: "sparrow-token-1f6e", from: "PHEWA" };
const AAKASH = { token: "aakash-token-77c0" };
const TWILIO = {
  accountSid: "AC0123456789abcdef0123456789abcdef",
  authToken: "twilio-token-9b21",
};
const WHATSAPP = {
  phoneNumberId: "106540352242922",
  accessToken: "whatsapp-token-52aa",
  appSecret: "whatsapp-secret-0d3c",
};
const ANY = { key: "any-key-c4d5" };
const MAIL = { user: "desk", password: "mail-password-61f0" };

/** The templates that the simulated WhatsApp account has had approved. */
const TEMPLATES = [
  { name: "checkout_code", language: "en", parameters: 1, hasButton: true },
  { name: "payment_reminder", language: "en", parameters: 2 },
  { name: "payment_reminder", language: "ne", parameters: 2 },
];

const http = (settings: Record<string, unknown>) => ({
  provider: "http_sms",
  settings: { timeoutSeconds: 20, ...settings },
});

/**
 * A simulator of each gateway and of a mail server on loopback, with the settings by which a
 * channel reaches it.
 * @param firstPort the gateways and the mail server take this one and the following five; 0 for
 * free ones
 */
export async function startSimulators(firstPort = 0) {
  const portOf = (place: number) => (firstPort === 0 ? 0 : firstPort + place);
  let whatsAppWebhook: string | null = null;
  const [sparrow, aakash, twilio, whatsapp, anySms, mail] = await Promise.all([
    GatewaySimulator.listen(sparrowProtocol(SPARROW), portOf(0)),
    GatewaySimulator.listen(aakashProtocol(AAKASH), portOf(1)),
    GatewaySimulator.listen(twilioProtocol(TWILIO), portOf(2)),
    GatewaySimulator.listen(
      whatsAppProtocol({
        ...WHATSAPP,
        templates: TEMPLATES,
        windows: ["9779800000024"],
        webhookUrl: () => whatsAppWebhook,
      }),
      portOf(3),
    ),
    GatewaySimulator.listen(anySmsProtocol(ANY), portOf(4)),
    MailSimulator.listen(MAIL, portOf(5)),
  ]);
  const gateways = {
    sparrow: {
      simulator: sparrow,
      provider: "sparrow",
      settings: { baseUrl: sparrow.url, ...SPARROW },
    },
    "aakash v3": {
      simulator: aakash,
      provider: "aakash",
      settings: { baseUrl: aakash.url, version: "v3", ...AAKASH },
    },
    "aakash v4": {
      simulator: aakash,
      provider: "aakash",
      settings: { baseUrl: aakash.url, version: "v4", ...AAKASH },
    },
    twilio: {
      simulator: twilio,
      provider: "twilio",
      settings: { baseUrl: twilio.url, ...TWILIO, from: "+15005550006" },
    },
    whatsapp: {
      simulator: whatsapp,
      provider: "whatsapp_cloud",
      settings: { baseUrl: whatsapp.url, ...WHATSAPP, verifyToken: "verify-token-8e19" },
    },
    "http_sms json": {
      simulator: anySms,
      ...http({
        url: `${anySms.url}/json`,
        body: "json",
        auth: "bearer",
        secret: ANY.key,
        toField: "messages.0.to",
        textField: "messages.0.text",
        reportUrlField: "callback",
        numberForm: "digits",
        successPath: "status",
        successValues: ["queued", "sent"],
        referencePath: "result.id",
        errorCodePath: "error.code",
        errorTextPath: "error.text",
        recipientCodes: ["E_NUMBER"],
        messageCodes: ["E_TEXT"],
        accountCodes: ["E_KEY"],
        balanceUrl: `${anySms.url}/balance`,
        balancePath: "account.left",
        reportReferenceField: "id",
        reportStateField: "state",
        reportCodeField: "code",
        deliveredWords: ["delivered"],
        failedWords: ["failed"],
        reportSecret: "report-secret-2b7d",
      }),
    },
    "http_sms form": {
      simulator: anySms,
      ...http({
        url: `${anySms.url}/form`,
        auth: "field",
        authName: "apikey",
        secret: ANY.key,
        toField: "mobile",
        textField: "message",
        numberForm: "national",
        successText: "OK",
      }),
    },
    "http_sms query": {
      simulator: anySms,
      ...http({
        url: `${anySms.url}/query`,
        method: "GET",
        body: "query",
        auth: "basic",
        authName: "phewa",
        secret: ANY.key,
        successText: "<result>ok</result>",
      }),
    },
  };
  const smtp = {
    host: "127.0.0.1",
    port: mail.port,
    security: "none",
    ...MAIL,
    from: "desk@phewa.example",
    fromName: "Phewa Yoga",
  };
  return {
    gateways,
    mail: { simulator: mail, provider: "smtp", settings: smtp },
    /** The URL for WhatsApp's statuses; the other gateways get one with each message. */
    setWhatsAppWebhook: (url: string | null) => (whatsAppWebhook = url),
    clear: () => {
      for (const each of [sparrow, aakash, twilio, whatsapp, anySms, mail]) each.clear();
    },
    close: async () => {
      await Promise.all(
        [sparrow, aakash, twilio, whatsapp, anySms, mail].map((each) => each.close()),
      );
    },
  };
}
