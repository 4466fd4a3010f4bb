import { createHash, randomInt, timingSafeEqual } from "node:crypto";
import type { Database } from "../db/database.ts";
import { queueMessage } from "../messages/outbox.ts";
import type { Checkout } from "./open.ts";
import type { PaymentContext } from "./provider.ts";
import { findSentCodes } from "./store.ts";

/** A code that was sent, in the row that it protects. */
export interface SentCode {
  code_hash: Buffer;
  wrong_codes: number;
  state: string;
  created_at: Date;
  expires_at: Date;
}

const MINUTE = 60_000;
const CODE_LIFETIME = 10 * MINUTE;
export const WRONG_CODES_ALLOWED = 5;
// ADR 0060: each code is a message to a buyer, so their number is limited for people and programs
// alike.
const CODES_AN_HOUR = 20;
const BETWEEN_CODES = 30_000;
/**
 * Codes an hour for one number or address on pages where anybody can ask for one: from one network,
 * so that a stranger cannot use up its owner's, and from all together.
 */
const CODES_AN_HOUR_OF_ONE = { network: 5, all: 15 };

const digitsOf = (number: number) => String(number % 1_000_000).padStart(6, "0");

/**
 * The code in test mode, which its page shows to everybody. It follows from the id of the row that it
 * protects, so that no database keeps a code.
 */
export const testCodeOf = (attemptId: string) =>
  digitsOf(createHash("sha256").update(`test code:${attemptId}`).digest().readUInt32BE());

/** The moments since which codes are counted: an hour, and the time between two codes. */
export const codesSince = (moment: Date) => ({
  hourAgo: new Date(moment.getTime() - 60 * MINUTE),
  justNow: new Date(moment.getTime() - BETWEEN_CODES),
});

/** Codes for one number or address in the last hour. */
export interface CodesOfOne {
  ofNetwork: number;
  ofAll: number;
}

export const areCodesUsedUp = ({ ofNetwork, ofAll }: CodesOfOne) =>
  ofNetwork >= CODES_AN_HOUR_OF_ONE.network || ofAll >= CODES_AN_HOUR_OF_ONE.all;

/**
 * Whether a code for the subscription was sent just now and is unused, and whether too many codes were
 * sent and payments begun in the last hour.
 */
export async function countCodes(
  database: Database,
  subscriptionId: string,
  moment: Date,
): Promise<{ hasUnusedNew: boolean; isFull: boolean }> {
  const since = codesSince(moment);
  const { ofTheHour, hasUnusedNew } = await findSentCodes(database, subscriptionId, since);
  return { hasUnusedNew, isFull: ofTheHour >= CODES_AN_HOUR };
}

const hashCode = (attemptId: string, code: string) =>
  createHash("sha256").update(`${attemptId}:${code}`).digest();

/** A new code for the row with that id, and the parts of it to store. */
export function newCode(
  mode: PaymentContext["mode"],
  id: string,
  moment: Date,
): Pick<SentCode, "code_hash" | "expires_at"> & { code: string } {
  const code = mode === "test" ? testCodeOf(id) : digitsOf(randomInt(1_000_000));
  const expires_at = new Date(moment.getTime() + CODE_LIFETIME);
  return { code, code_hash: hashCode(id, code), expires_at };
}

export const isCodeOf = (
  id: string,
  { code_hash }: Pick<SentCode, "code_hash">,
  code: string,
) => timingSafeEqual(code_hash, hashCode(id, code));

/**
 * The changes to a row for which a wrong code was typed; after the last try an open row is spent.
 */
export function afterWrongCode<State extends string>(
  row: Pick<SentCode, "wrong_codes"> & { state: State },
): { wrong_codes: number; state: State | "spent" } {
  const wrong_codes = row.wrong_codes + 1;
  const isSpent = row.state === "open" && wrong_codes >= WRONG_CODES_ALLOWED;
  return { wrong_codes, state: isSpent ? "spent" : row.state };
}

/**
 * The id of the row that a code protects, hashed from the id of its form's page: a form sent twice finds
 * its row, and no form can choose the row of another.
 */
export function codeIdOf(subscriptionId: string, page: string): string {
  const hex = createHash("sha256").update(`${subscriptionId}:${page}`).digest("hex");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

export const isCodeOpen = (
  { state, expires_at }: Pick<SentCode, "state" | "expires_at">,
  now: Date,
) => state === "open" && expires_at > now;

export const isJustSent = ({ created_at }: Pick<SentCode, "created_at">, moment: Date) =>
  created_at.getTime() > moment.getTime() - BETWEEN_CODES;

/**
 * Sends a one-time code in the caller's transaction.
 * @returns the parts of it to store, or why none was sent
 */
export async function sendCode(
  database: Database,
  mode: PaymentContext["mode"],
  { seller, subscription }: Checkout,
  {
    id,
    cause,
    moment,
    language,
    write,
  }: {
    id: string;
    cause: string;
    moment: Date;
    language: string;
    write: (code: string) => { subject: string; body: string };
  },
): Promise<
  | Pick<SentCode, "code_hash" | "expires_at">
  | { problem: "too_many" | "too_soon" | "no_channel" }
> {
  const { subscription_id, phone, email } = subscription;
  const sent = await countCodes(database, subscription_id, moment);
  if (sent.hasUnusedNew) return { problem: "too_soon" };
  if (sent.isFull) return { problem: "too_many" };
  const { code, ...kept } = newCode(mode, id, moment);
  const queued = await queueMessage(database, {
    seller_id: seller.seller_id,
    kind: "code",
    cause,
    subscription_id,
    phone,
    email,
    language,
    ...write(code),
    parameters: [code],
    at: moment,
    expires_at: kept.expires_at,
  });
  if (queued === "no_channel" && mode === "live") return { problem: "no_channel" };
  return kept;
}
