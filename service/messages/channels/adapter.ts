import type * as z from "zod";
import type {
  ChannelAdapter,
  ChannelCheck,
  ChannelIo,
  OutgoingMessage,
  ReadReports,
  ReportRequest,
  SendResult,
} from "./channel.ts";

/** Texts are not searched for shorter secrets, which many sentences contain by chance. */
const SHORTEST_SECRET = 4;

/** An adapter as it is written for one protocol, with a type of settings of its own. */
type Protocol<Settings extends object> = Omit<
  ChannelAdapter,
  "settings" | "secrets" | "send" | "check" | "readReports"
> & {
  settings: z.ZodType<Settings>;
  secrets: readonly Extract<keyof Settings, string>[];
  send(message: OutgoingMessage, settings: Settings, io: ChannelIo): Promise<SendResult>;
  check(settings: Settings, io: ChannelIo): Promise<ChannelCheck>;
  readReports?(request: ReportRequest, settings: Settings): ReadReports | null;
};

/**
 * Makes sure of what every adapter promises: that it has read its settings, never throws, and
 * reveals no secret, number, address or part of a message.
 */
export function defineAdapter<Settings extends object>(
  protocol: Protocol<Settings>,
): ChannelAdapter {
  const secretsOf = (settings: Settings) =>
    protocol.secrets
      .map((name) => String(settings[name] ?? ""))
      .filter(({ length }) => length >= SHORTEST_SECRET);
  const { provider, channel, secrets } = protocol;
  const readReports = protocol.readReports?.bind(protocol);
  return {
    provider,
    channel,
    secrets,
    settings: protocol.settings as z.ZodType<Record<string, unknown>>,
    send: async (message, given, io) => {
      const { data: settings } = protocol.settings.safeParse(given);
      if (!settings) return UNREADABLE;
      try {
        const result = await protocol.send(message, settings, io);
        return withoutPrivate(result, secretsOf(settings), message);
      } catch {
        return { state: "unknown", text: "The channel failed while it was sending." };
      }
    },
    check: async (given, io) => {
      const { data: settings } = protocol.settings.safeParse(given);
      if (!settings) return { ok: false, text: UNREADABLE.text };
      try {
        const result = await protocol.check(settings, io);
        const isClean = isFree(Object.values(result).join(" "), secretsOf(settings));
        return isClean ? result : { ok: result.ok, text: "The gateway answered." };
      } catch {
        return { ok: false, text: "The channel failed while it was asking." };
      }
    },
    ...(readReports && {
      readReports: (request: ReportRequest, given: Record<string, unknown>) => {
        const { data: settings } = protocol.settings.safeParse(given);
        if (!settings) return null;
        try {
          return readReports(request, settings);
        } catch {
          return null;
        }
      },
    }),
  };
}

const UNREADABLE = {
  state: "failed",
  code: "settings_unreadable",
  text: "The settings of the channel are not complete. Enter them again.",
  about: "credentials",
} as const;

const isFree = (said: string, parts: string[]) => !parts.some((part) => said.includes(part));

function withoutPrivate(
  result: SendResult,
  secrets: string[],
  message: OutgoingMessage,
): SendResult {
  const { to, text } = message;
  const parts = [...secrets, to, ...(isE164(to) ? [to.slice(-8)] : [])];
  if (result.state === "accepted")
    return isFree(result.reference ?? "", secrets) ? result : { ...result, reference: null };
  const words = isFree(result.text, [...parts, text])
    ? result.text
    : "The gateway refused the message.";
  if (result.state === "unknown") return { ...result, text: words };
  const isOwnCode = wordsOf(message).has(result.code.toLowerCase());
  const code = isOwnCode || !isFree(result.code, parts) ? "other" : result.code;
  return { ...result, code, text: code === "other" ? withoutCode(words, result.code) : words };
}

const withoutCode = (text: string, code: string) => text.replaceAll(code, "other");

/** The words of three characters or more in a message and its recipient, in lower case. */
const wordsOf = ({ to, text, template }: OutgoingMessage) =>
  new Set(
    [to, text, ...(template?.parameters ?? [])]
      .join(" ")
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter(({ length }) => length > 2),
  );

/** A gateway's short value, as a code; “other” if it is none or could hold a phone number. */
export const codeOf = (value: unknown): string => {
  const code = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return /^[\w.-]{1,32}$/.test(code) && !/\d{7}/.test(code) ? code : "other";
};

/** A gateway's id of a message; null if it is none. */
export const referenceOf = (value: unknown): string | null => {
  const id = typeof value === "number" || typeof value === "string" ? String(value) : "";
  return /^[\x21-\x7e]{1,128}$/.test(id) ? id : null;
};

/** What a gateway says about an error, without the words and numbers of the message. */
export function safeWords(said: unknown, message: OutgoingMessage): string {
  if (typeof said !== "string") return "";
  const own = wordsOf(message);
  return said
    .slice(0, 200)
    .split(/\s+/)
    .map((word) => {
      const letters = word.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u);
      const isPrivate = /[@/]|\d{4}/.test(word) || letters.some((part) => own.has(part));
      return isPrivate || !/^[\x21-\x7e]+$/.test(word) ? "…" : word;
    })
    .join(" ")
    .trim();
}

const E164 = /^\+[1-9]\d{6,14}$/;

/** The recipient is no number that the gateway can reach. */
export const wrongNumber = (text: string): SendResult => ({
  state: "failed",
  code: "wrong_number",
  text,
  about: "recipient",
});

const STOP_WORDS = /^(?:stop(?: ?all| promotions)?|unsubscribe|रोक्नुहोस्|बन्द)[.!।]?$/iu;

/** The sender's number if the text is a word like STOP, else none; `from` may lack the plus. */
export function stopsIn(from: unknown, text: unknown): string[] {
  const number = `+${String(from).replace(/^\+/, "")}`;
  return typeof text === "string" && STOP_WORDS.test(text.trim()) && isE164(number)
    ? [number]
    : [];
}

export const isE164 = (to: string) => E164.test(to);

/** The 10 digits of a mobile number of Nepal, as its gateways want them; null for all others. */
export const nepalMobile = (to: string) => /^\+977(9\d{9})$/.exec(to)?.[1] ?? null;
