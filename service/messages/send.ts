import type pg from "pg";
import { toInternational } from "#contract/process/phone-number.ts";
import { transaction, type Database } from "../db/database.ts";
import type { ResolveHost } from "../outgoing/guarded-lookup.ts";
import { decryptWithAnyKey } from "../webhooks/secret.ts";
import { ADAPTERS } from "./channels/adapters.ts";
import type {
  Attachment,
  ChannelAdapter,
  OutgoingMessage,
  SendResult,
} from "./channels/channel.ts";
import { takeOfHour } from "./hour-limit.ts";
import { postpone } from "./outbox.ts";
import {
  applyReports,
  beginSending,
  concludeSending,
  noteProblem,
  passToNextChannel,
  storeText,
  type MessageKey,
  type SendingMessage,
} from "./store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const MOST_TRIES = 8;
/** Milliseconds for which a channel sends only codes after its settings were refused. */
const CHANNEL_PAUSE = 5 * MINUTE;

/**
 * Writes a reminder's text as it is sent, or says that it is withdrawn or has to wait; null withdraws
 * it without a reason.
 */
export type WriteMessage = (
  database: Database,
  message: SendingMessage,
) => Promise<WrittenMessage | WithdrawnMessage | PostponedMessage | null>;

/**
 * Finds the file to attach to a mail. It throws nothing: a mail without its file is better than
 * none.
 */
export type FindAttachment = (message: SendingMessage) => Promise<Attachment | null>;

/** Why a message is not to be sent any more. */
interface WithdrawnMessage {
  withdrawn: { code: string; text: string };
}

/** Until when a message has to wait, and when it becomes useless. */
export interface PostponedMessage {
  later: Date;
  expires_at: Date;
}

export interface WrittenMessage {
  subject: string | null;
  body: string;
  /** The values for an approved template. */
  parameters: string[];
  unsubscribeUrl?: string | null;
  /** The language that was chosen; default the message's. */
  language?: string;
}

export type AttemptResult = SendResult["state"];

export interface SendContext {
  pool: pg.Pool;
  now: () => Date;
  random: () => number;
  /** The current encryption key first, then the previous ones. */
  secretsKeys: readonly Buffer[];
  publicUrl: string;
  allowPrivate: boolean;
  resolve?: ResolveHost | undefined;
  /** Milliseconds a provider has to answer. */
  timeout: number;
  signal: AbortSignal;
  /** The most messages, without codes, that a seller sends in an hour; 0 for no limit. */
  messagesPerHour: number;
  /** Called after each attempt. */
  onAttempt: (
    message: Pick<SendingMessage, "kind" | "provider">,
    result: AttemptResult,
  ) => void;
  write: WriteMessage;
  attach: FindAttachment;
}

/**
 * Sends one message and stores what became of it. Nothing is sent without its row marked as being
 * sent, so that after a crash nothing is sent twice but a code.
 * @returns until when the channel is not to be used; null if it can go on
 */
export async function sendMessage(context: SendContext, key: MessageKey): Promise<Date | null> {
  const { pool, now, timeout } = context;
  const at = now();
  const claim = {
    now: at,
    until: new Date(at.getTime() + timeout + MINUTE),
    // A buyer waits for a code, and a second copy of it does no harm.
    codeUntil: new Date(at.getTime() + timeout + 5 * SECOND),
  };
  const ready = await beginSending(pool, key, { ...claim, isReminder: false });
  const begun = ready
    ? { message: ready, text: { ...ready, body: ready.body ?? "" } }
    : await beginReminder(context, key, claim);
  if (!begun) return null;
  const { message, text } = begun;
  const fullUntil = await waitForHour(context, message);
  if (fullUntil) return fullUntil;
  const result = await post(context, message, text);
  context.onAttempt(message, result.state);
  return conclude(context, message, result);
}

/**
 * Postpones a message while its seller has reached the hour's limit.
 * @returns when it may be sent
 */
async function waitForHour(
  { pool, now, messagesPerHour: most }: SendContext,
  message: SendingMessage,
): Promise<Date | null> {
  const { seller_id, kind, expires_at } = message;
  if (kind === "code") return null;
  const at = now();
  const fullUntil = await takeOfHour(pool, seller_id, { now: at, most });
  if (fullUntil) await postpone(pool, message, { at, later: at, expires_at });
  return fullUntil;
}

/** A reminder is written again for each attempt, in the transaction that checks its cause again. */
const beginReminder = (
  { pool, write }: SendContext,
  key: MessageKey,
  claim: Omit<Parameters<typeof beginSending>[2], "isReminder">,
) =>
  transaction(pool, async (database) => {
    const message = await beginSending(database, key, { ...claim, isReminder: true });
    if (!message) return null;
    const text = await write(database, message);
    if (text && "later" in text) await postpone(database, key, { at: claim.now, ...text });
    else if (text && "body" in text) {
      await storeText(database, key, text);
      return { message: { ...message, language: text.language ?? message.language }, text };
    } else
      await concludeSending(database, key, {
        state: "withdrawn",
        at: claim.now,
        error_code: text?.withdrawn.code ?? null,
        error: text?.withdrawn.text ?? null,
      });
    return null;
  });

/** The adapter of a channel with its settings; null if they cannot be read. */
export function openChannel(
  secretsKeys: readonly Buffer[],
  {
    seller_id,
    provider,
    sealed_settings,
  }: Pick<SendingMessage, "seller_id" | "provider" | "sealed_settings">,
): { adapter: ChannelAdapter; settings: Record<string, unknown> } | null {
  const adapter = ADAPTERS.find((each) => each.provider === provider);
  const opened = decryptWithAnyKey(secretsKeys, seller_id, sealed_settings);
  if (!adapter || !opened) return null;
  const settings = adapter.settings.safeParse(JSON.parse(opened.secret));
  return settings.success ? { adapter, settings: settings.data } : null;
}

const UNREADABLE: SendResult = {
  state: "failed",
  code: "settings_unreadable",
  text: "The settings of the channel cannot be read. Enter them again.",
  about: "credentials",
};

async function post(
  { secretsKeys, publicUrl, allowPrivate, resolve, timeout, signal, now, attach }: SendContext,
  message: SendingMessage,
  { subject, body, parameters, unsubscribeUrl = null }: WrittenMessage,
): Promise<SendResult> {
  const opened = openChannel(secretsKeys, message);
  if (!opened) return UNREADABLE;
  const to =
    message.channel === "email" ? message.email : toInternational(message.phone, message);
  if (!to)
    return {
      state: "failed",
      code: "no_number",
      text: "The phone number is not valid, or its country code is missing.",
      about: "recipient",
    };
  const { expires_at } = message;
  const attachment = message.channel === "email" ? await attach(message) : null;
  return opened.adapter.send(
    {
      id: message.message_id,
      to,
      text: body,
      subject,
      kind: message.kind,
      template: templateOf(message, parameters),
      unsubscribeUrl,
      attachment,
      reportUrl: `${publicUrl}/message-reports/${message.report_key}`,
      validSeconds: expires_at && Math.ceil((expires_at.getTime() - now().getTime()) / SECOND),
    },
    opened.settings,
    {
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      allowPrivate,
      ...(resolve && { resolve }),
    },
  );
}

function templateOf(
  { templates, kind, language, usual_language }: SendingMessage,
  parameters: string[],
): OutgoingMessage["template"] {
  const ofKind = templates.filter((each) => each.kind === kind);
  const inLanguage = (name: string) => ofKind.find((each) => each.language === name);
  const found = inLanguage(language) ?? inLanguage(usual_language) ?? ofKind[0];
  return found ? { name: found.name, language: found.template_language, parameters } : null;
}

async function conclude(
  { pool, now, random }: SendContext,
  message: SendingMessage,
  result: SendResult,
): Promise<Date | null> {
  const { kind, tries, has_problem } = message;
  const at = now();
  const again = (seconds: number) => new Date(at.getTime() + seconds * SECOND);
  const isCode = kind === "code";
  if (result.state === "accepted") {
    const { state, reference } = result;
    await concludeSending(pool, message, { state, at, reference });
    if (has_problem) await noteProblem(pool, message, { problem: null, at });
    // Now that the reference is stored, a report that came before it finds its message.
    if (reference !== null) await applyReports(pool, message, reference);
    return null;
  }
  return transaction(pool, async (database) => {
    if (result.state === "unknown") {
      const mayRepeat = isCode && tries < 3;
      await concludeSending(database, message, {
        state: mayRepeat ? "queued" : "unknown",
        at,
        next_at: mayRepeat ? again(5) : undefined,
        error: result.text,
      });
      return null;
    }
    const { code: error_code, text: error } = result;
    const isAboutChannel = result.state === "failed" && result.about === "credentials";
    if (isAboutChannel) await noteProblem(database, message, { problem: error, at });
    const pausedUntil = isAboutChannel ? new Date(at.getTime() + CHANNEL_PAUSE) : null;
    const isRefused = result.state === "failed" || tries >= MOST_TRIES;
    if (isRefused && (await passToNextChannel(database, message, { at, error_code, error })))
      return pausedUntil;
    const waits = (result.state === "retry" || isAboutChannel) && tries < MOST_TRIES;
    const asked = result.state === "retry" ? result.afterSeconds : null;
    const wait = Math.max(asked ?? 0, isAboutChannel && !isCode ? CHANNEL_PAUSE / SECOND : 0);
    await concludeSending(database, message, {
      state: waits ? "queued" : "failed",
      at,
      next_at: waits ? again(Math.max(wait, backoff(tries, isCode, random()))) : undefined,
      error_code,
      error,
    });
    return pausedUntil;
  });
}

/** Seconds until the next attempt: 2 to 60 for a code, about 30 to about 3,600 for others. */
const backoff = (tries: number, isCode: boolean, random: number) =>
  isCode
    ? Math.min(2 ** tries, 60)
    : Math.min(30 * 2 ** (tries - 1), 3_600) * (0.8 + 0.4 * random);
