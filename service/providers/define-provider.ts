import * as z from "zod";
import {
  askGateway,
  jsonOf,
  type GatewayAnswer,
  type GatewayIo,
  type GatewayRequest,
} from "../outgoing/gateway.ts";
import { objectOf } from "../outgoing/settings.ts";
import {
  ProviderFault,
  type BeginAnswer,
  type BeginDetails,
  type InquiryAnswer,
  type PaymentListPage,
  type PaymentListQuery,
  type ProviderAdapter,
  type ProviderCharge,
  type ProviderCheck,
  type ProviderNotice,
  type ProviderSettings,
  type RefundAnswer,
} from "./provider.ts";

/** Texts are not searched for shorter values, which many sentences contain by chance. */
const SHORTEST_PRIVATE = 4;

type Refund = Parameters<ProviderAdapter["refund"]>[1];

/** An adapter as it is written for one protocol, with a type of settings of its own. */
type Protocol<Settings extends CommonSettings> = Pick<
  ProviderAdapter,
  "provider" | "label" | "method" | "can" | "referenceOf" | "readReturn"
> & {
  settings: z.ZodType<Settings>;
  secrets: readonly Extract<keyof Settings, string>[];
  merchant: readonly Extract<keyof Settings, string>[];
  formTargets(settings: Settings): readonly string[];
  portalOf(settings: Settings): string;
  begin(
    charge: ProviderCharge,
    details: BeginDetails,
    settings: Settings,
    io: GatewayIo,
  ): Promise<BeginAnswer>;
  inquire(charge: ProviderCharge, settings: Settings, io: GatewayIo): Promise<InquiryAnswer>;
  /** Left out, refunds are made by hand at `portalOf`. */
  refund?(
    charge: ProviderCharge,
    refund: Refund,
    settings: Settings,
    io: GatewayIo,
  ): Promise<RefundAnswer>;
  inquireRefund?(
    charge: ProviderCharge,
    refund_id: string,
    settings: Settings,
    io: GatewayIo,
  ): Promise<RefundAnswer>;
  list?(query: PaymentListQuery, settings: Settings, io: GatewayIo): Promise<PaymentListPage>;
  cancel?(charge: ProviderCharge, settings: Settings, io: GatewayIo): Promise<void>;
  readNotice?(notice: ProviderNotice, settings: Settings): string | null;
  check(settings: Settings, io: GatewayIo): Promise<ProviderCheck>;
};

/**
 * Makes sure of what every adapter promises: that it has read its settings, throws nothing but a
 * `ProviderFault`, and reveals no secret, nor what `begin` was told of the buyer.
 */
export function defineProvider<Settings extends CommonSettings>(
  protocol: Protocol<Settings>,
): ProviderAdapter {
  const { provider, label, method, secrets, merchant, can } = protocol;
  const settingsSchema = protocol.settings.superRefine(refuseUnsafe);
  const run = async <Answer extends object | void>(
    given: ProviderSettings,
    call: (settings: Settings) => Promise<Answer>,
    buyer: readonly (string | null)[] = [],
  ): Promise<Answer> => {
    const { data: settings } = settingsSchema.safeParse(given);
    if (!settings)
      throw new ProviderFault("credentials", "The settings of the account are not complete.");
    const hidden = [...secrets.map((name) => settings[name]), ...buyer]
      .map((value) => (typeof value === "string" ? value : ""))
      .filter(({ length }) => length >= SHORTEST_PRIVATE);
    try {
      return withoutPrivate(await call(settings), hidden);
    } catch (error) {
      if (!(error instanceof ProviderFault))
        throw new ProviderFault("unknown", "The adapter of the provider failed.");
      if (isFree(error.message, hidden)) throw error;
      throw new ProviderFault(error.kind, "The provider gave no answer.", error.retryAfter);
    }
  };
  const settingsOf = (given: ProviderSettings) => settingsSchema.safeParse(given).data;
  const inquireRefund = protocol.inquireRefund?.bind(protocol);
  const list = protocol.list?.bind(protocol);
  const cancel = protocol.cancel?.bind(protocol);
  const readNotice = protocol.readNotice?.bind(protocol);
  return {
    provider,
    label,
    method,
    can,
    secrets,
    merchant,
    settings: settingsSchema as z.ZodType<ProviderSettings>,
    referenceOf: (charge_id) => protocol.referenceOf(charge_id),
    readReturn: (query) => quietly(() => protocol.readReturn(query)),
    modeOf: (given) => settingsOf(given)?.environment ?? null,
    portalOf: (given) => {
      const settings = settingsOf(given);
      return settings ? protocol.portalOf(settings) : null;
    },
    formTargets: (given) => {
      const settings = settingsOf(given);
      return settings ? protocol.formTargets(settings) : [];
    },
    begin: (charge, details, given, io) => {
      const { name, phone, email } = details.buyer;
      const begin = (settings: Settings) => protocol.begin(charge, details, settings, io);
      return run(given, begin, [name, phone, phone.slice(-8), email]);
    },
    inquire: (charge, given, io) =>
      run(given, (settings) => protocol.inquire(charge, settings, io)),
    refund: (charge, refund, given, io) =>
      run(
        given,
        async (settings): Promise<RefundAnswer> =>
          protocol.refund?.(charge, refund, settings, io) ?? {
            state: "by_hand",
            where: protocol.portalOf(settings),
          },
      ),
    check: async (given, io) => {
      try {
        return await run(given, (settings) => protocol.check(settings, io));
      } catch (error) {
        const text = error instanceof ProviderFault ? error.message : "The check failed.";
        return { ok: false, text };
      }
    },
    ...(inquireRefund && {
      inquireRefund: (
        charge: ProviderCharge,
        refund_id: string,
        given: ProviderSettings,
        io: GatewayIo,
      ) => run(given, (settings) => inquireRefund(charge, refund_id, settings, io)),
    }),
    ...(list && {
      list: (query: PaymentListQuery, given: ProviderSettings, io: GatewayIo) =>
        run(given, (settings) => list(query, settings, io)),
    }),
    ...(cancel && {
      cancel: (charge: ProviderCharge, given: ProviderSettings, io: GatewayIo) =>
        run(given, (settings) => cancel(charge, settings, io)),
    }),
    ...(readNotice && {
      readNotice: (notice: ProviderNotice, given: ProviderSettings) => {
        const settings = settingsOf(given);
        return settings ? quietly(() => readNotice(notice, settings)) : null;
      },
    }),
  };
}

/**
 * Refuses plain http with live credentials, both for the page that the buyer is sent to and for the
 * service's own requests.
 */
function refuseUnsafe(settings: CommonSettings, context: z.core.$RefinementCtx) {
  if (settings.environment !== "live") return;
  for (const [name, value] of Object.entries(settings as ProviderSettings))
    if ([value].flat().some((each) => typeof each === "string" && /^http:/i.test(each)))
      context.addIssue({
        code: "custom",
        path: [name],
        message: "Use an address that begins with https://.",
      });
}

const quietly = <Value>(read: () => Value): Value | null => {
  try {
    return read();
  } catch {
    return null;
  }
};

const isFree = (said: string, hidden: readonly string[]) =>
  !hidden.some((part) => said.includes(part));

/** The fields of an answer that a person reads; the others lead the buyer or name the payment. */
const SAID = new Set(["text", "word", "where"]);

function withoutPrivate<Answer extends object | void>(
  answer: Answer,
  hidden: string[],
): Answer {
  if (typeof answer !== "object") return answer;
  const clean = Object.entries(answer).map(([name, value]) => {
    const isSaid = SAID.has(name) && typeof value === "string";
    return [name, isSaid && !isFree(value, hidden) ? "unreadable" : (value as unknown)];
  });
  return Object.fromEntries(clean) as Answer;
}

/** The first setting of every account. */
export const environmentSetting = {
  environment: z
    .enum(["test", "live"])
    .describe("Whether the credentials are for the provider's test or live system."),
};

const seconds = (standard: number, description: string) =>
  z.int().min(1).max(60).default(standard).describe(description);

/** The settings of time limits, the same for every provider. */
export const timeLimits = {
  beginSeconds: seconds(20, "Seconds in which a payment or a refund must have begun."),
  askSeconds: seconds(10, "Seconds in which any other request must be answered."),
};

/** A path at the provider; as a setting, it can follow when the provider moves it. */
export const providerPath = (standard: string, description: string) =>
  z.string().startsWith("/").max(200).default(standard).describe(description);

type CommonSettings = z.infer<z.ZodObject<typeof environmentSetting>>;

/** An address of the provider that differs between its two environments, unless it is set. */
export const providerUrl = () =>
  z
    .url({ protocol: /^https?$/ })
    .max(200)
    .overwrite((url) => url.replace(/\/+$/, ""))
    .optional();

export const furtherOrigins = () =>
  z
    .array(z.url({ protocol: /^https?$/ }).overwrite((url) => new URL(url).origin))
    .max(10)
    .optional()
    .describe("Further origins to which the provider's form redirects at once.");

export interface ProviderAnswer {
  answer: GatewayAnswer;
  /** The JSON of the body, whatever the status; empty if it is no object. */
  body: Record<string, unknown>;
  isSuccess: boolean;
}

/** Asks once; without an answer a `ProviderFault` is thrown. */
export async function askProvider(
  request: GatewayRequest & { seconds: number },
  io: GatewayIo,
): Promise<ProviderAnswer> {
  const { seconds, ...rest } = request;
  const answer = await askGateway({ ...rest, timeout: seconds * 1_000 }, io);
  if (answer.kind !== "answered") throw faultOf(answer);
  const isSuccess = answer.status >= 200 && answer.status < 300;
  return { answer, body: objectOf(jsonOf(answer)), isSuccess };
}

const ABOUT_CREDENTIALS = new Set([401, 403, 407]);

/** The fault in an answer that is not in the provider's documented form. */
export function faultOf(answer: GatewayAnswer): ProviderFault {
  if (answer.kind === "lost") return new ProviderFault("unknown", inWords(answer.text));
  if (answer.kind === "not_reached")
    return new ProviderFault(
      answer.isRefused ? "credentials" : "not_reached",
      inWords(answer.text),
    );
  const { status, retryAfter, body } = answer;
  if (ABOUT_CREDENTIALS.has(status))
    return new ProviderFault(
      "credentials",
      `The provider does not accept the credentials (${status}).`,
    );
  if (status === 429 || (status === 503 && retryAfter !== null))
    return new ProviderFault(
      "busy",
      `The provider takes no more at present (${status}).`,
      retryAfter,
    );
  if (status >= 300 && status < 400)
    return new ProviderFault(
      "unknown",
      `The provider answered ${status}: redirects are not followed.`,
    );
  const how = body === null ? "cut off or too long" : "not in the documented form";
  return new ProviderFault("unknown", `The provider's answer (${status}) is ${how}.`);
}

const inWords = (text: string) => text.replaceAll("gateway", "provider");

const MOST_OF_A_WORD = 40;

/** A provider's own word for a state, if it is one that can be shown. */
export function wordOf(value: unknown): string {
  const word = typeof value === "string" ? value.trim() : "";
  return /^[A-Za-z][\w .,'-]*$/.test(word) && !/\d{4}/.test(word)
    ? word.slice(0, MOST_OF_A_WORD)
    : "unreadable";
}

/** An id of a payment or a refund; null for anything else. */
export const idOf = (value: unknown): string | null => {
  const id = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : null;
};

/**
 * A payment that a provider calls complete; held if its answer lacks the amount or the provider's own
 * id.
 */
export const paidInRupees = (
  word: string,
  amount: string | null,
  transaction_id: string | null,
  fee: string | null = null,
): InquiryAnswer =>
  amount === null || transaction_id === null
    ? { state: "held", word: `${word}, incomplete answer` }
    : { state: "approved", amount, currency: "NPR", transaction_id, fee, at: null };

/**
 * The address of a page that the provider has made for a buyer; null if a buyer cannot be sent
 * there.
 */
export function pageUrlOf(value: unknown, { allowPrivate }: GatewayIo): string | null {
  if (typeof value !== "string" || !URL.canParse(value)) return null;
  const { protocol, href } = new URL(value);
  return protocol === "https:" || (allowPrivate && protocol === "http:") ? href : null;
}

export const basicOf = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

/** Headers and body of a request in JSON. */
export const jsonFields = (fields: Record<string, unknown>) => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(fields),
});
