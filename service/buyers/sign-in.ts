import { randomUUID } from "node:crypto";
import { CreateSubscription } from "#contract/subscriptions.ts";
import {
  afterWrongCode,
  areCodesUsedUp,
  codeIdOf,
  codesSince,
  isCodeOf,
  isCodeOpen,
  isJustSent,
  newCode,
} from "../checkout/codes.ts";
import { networkKeyOf, ownCookie, readOwnCookie, signatureOf } from "../checkout/payer.ts";
import type { PaymentContext } from "../checkout/provider.ts";
import { latinDigits, type PageReader } from "../checkout/reader.ts";
import { findCountedKey } from "../customers/store.ts";
import { transaction } from "../db/database.ts";
import { isUuid } from "../http/ids.ts";
import { queueMessage } from "../messages/outbox.ts";
import { isSame } from "../outgoing/settings.ts";
import type { Seller } from "../sellers/store.ts";
import {
  countSignIns,
  insertSignIn,
  lockSignIn,
  lockSignIns,
  selectOwnSubscriptions,
  selectSignIn,
  selectWays,
  updateSignIn,
  type Proven,
  type SignIn,
} from "./store.ts";
import { BUYER_WORDS } from "./words.ts";

const HOUR = 3_600_000;
const CODES_AN_HOUR_OF_SELLER = 300;
const SESSION = 12 * HOUR;
/** A second form with the right code within this time counts as the same one (milliseconds). */
const SENT_TWICE = 10_000;

export interface Ways {
  phone: boolean;
  email: boolean;
}

/** The seller's channels for codes; in test mode all, because the pages show the codes. */
export async function waysOf(
  { pool, mode }: Pick<PaymentContext, "pool" | "mode">,
  { seller_id }: Seller,
): Promise<Ways> {
  if (mode === "test") return { phone: true, email: true };
  return (await selectWays(pool, seller_id)) ?? { phone: false, email: false };
}

const { phone: Phone, email: Email } = CreateSubscription.shape.client.shape;

/** The number or address that a buyer typed; null for anything else, or without a channel for it. */
function readAddress(typed: string, ways: Ways): { phone: string; email: string } | null {
  const isEmail = typed.includes("@");
  const text = isEmail ? typed.toLowerCase() : latinDigits(typed);
  const parsed = (isEmail ? Email : Phone).safeParse(text);
  if (!parsed.success || !ways[isEmail ? "email" : "phone"]) return null;
  return isEmail ? { phone: "", email: parsed.data } : { phone: parsed.data, email: "" };
}

type StartProblem = "address" | "too_many" | "too_soon";

/**
 * Sends a code to a number or address that the seller knows. The answer is the same for unknown
 * ones, whose code is sent to nobody.
 */
export async function startSignIn(
  { pool, now, mode, ...keys }: PaymentContext,
  seller: Seller,
  {
    typed,
    page,
    reader,
    network: from,
  }: { typed: string; page: string | undefined; reader: PageReader; network: string },
): Promise<{ id: string } | { problem: StartProblem }> {
  const { seller_id, page_key } = seller;
  const address = readAddress(typed, await waysOf({ pool, mode }, seller));
  if (!address || signatureOf(keys, "") === null) return { problem: "address" };
  return transaction(pool, async (database) => {
    await lockSignIns(database, seller_id);
    const moment = now();
    const { phone, email } = address;
    const phone_key = phone && (await findCountedKey(database, { seller, phone }));
    const proven: Proven = { seller_id, phone_key, email };
    const own = page === undefined ? null : codeIdOf(page_key, page);
    const before = own && (await selectSignIn(database, seller_id, own));
    const isSameForm = before && before.phone_key === phone_key && before.email === email;
    if (isSameForm && isCodeOpen(before, moment) && isJustSent(before, moment))
      return { id: before.sign_in_id };
    const network = networkKeyOf(keys, from);
    const sent = await countSignIns(database, { ...proven, network }, codesSince(moment));
    if (sent.hasUnusedNew) return { problem: "too_soon" };
    if (areCodesUsedUp(sent) || sent.ofSeller >= CODES_AN_HOUR_OF_SELLER)
      return { problem: "too_many" };
    const id = own && !before ? own : randomUUID();
    const { code, ...kept } = newCode(mode, id, moment);
    await insertSignIn(database, {
      sign_in_id: id,
      ...proven,
      network,
      created_at: moment,
      ...kept,
    });
    const [known] = await selectOwnSubscriptions(database, proven, 1);
    const { subject, body } = BUYER_WORDS[reader.language];
    if (known)
      await queueMessage(database, {
        seller_id,
        kind: "code",
        cause: `sign-in:${id}`,
        subscription_id: known.subscription_id,
        // Only the contact that was typed, because the code proves no other.
        phone: phone && known.phone,
        email,
        language: reader.language,
        subject: subject(seller.name),
        body: body(reader.digits(code), seller.name),
        parameters: [code],
        at: moment,
        expires_at: kept.expires_at,
      });
    return { id };
  });
}

const wasJustEntered = ({ state, expires_at }: SignIn, now: Date) =>
  state === "done" && expires_at.getTime() > now.getTime() + SESSION - SENT_TWICE;

/** Begins the buyer's session if the code is right. */
export const enterCode = (
  { pool, now }: PaymentContext,
  { seller_id }: Seller,
  { id, code }: { id: string; code: string },
): Promise<"entered" | "wrong_code" | "expired"> =>
  transaction(pool, async (database) => {
    const signIn = await lockSignIn(database, seller_id, id);
    const moment = now();
    const isRight = signIn !== null && isCodeOf(id, signIn, code);
    if (isRight && wasJustEntered(signIn, moment)) return "entered";
    if (!signIn || !isCodeOpen(signIn, moment)) return "expired";
    const { expires_at } = signIn;
    if (isRight) {
      const until = new Date(moment.getTime() + SESSION);
      await updateSignIn(database, signIn, { ...signIn, state: "done", expires_at: until });
      return "entered";
    }
    const changes = afterWrongCode(signIn);
    await updateSignIn(database, signIn, { ...changes, expires_at });
    return changes.state === "open" ? "wrong_code" : "expired";
  });

const cookieName = ({ page_key }: Seller) => `buyer.${page_key}`;

/** The cookie of the browser in which the code was entered. */
export const sessionCookie = (keys: PaymentContext, seller: Seller, id: string): string =>
  ownCookie(
    keys,
    cookieName(seller),
    `${id}.${signatureOf(keys, `buyer:${id}`) ?? ""}`,
    SESSION / 1_000,
  );

export const endedCookie = (keys: PaymentContext, seller: Seller): string =>
  ownCookie(keys, cookieName(seller), "", 0);

/** The session of a browser at that seller; null without one that still runs. */
export async function findSession(
  payments: PaymentContext,
  seller: Seller,
  cookies: string | undefined,
): Promise<SignIn | null> {
  const [id = "", signature] =
    readOwnCookie(payments, cookieName(seller), cookies)?.split(".") ?? [];
  const expected = signatureOf(payments, `buyer:${id}`);
  if (!isUuid(id) || expected === null || !isSame(signature, expected)) return null;
  const { pool, now } = payments;
  const signIn = await selectSignIn(pool, seller.seller_id, id);
  return signIn?.state === "done" && signIn.expires_at > now() ? signIn : null;
}

export const endSession = ({ pool }: PaymentContext, session: SignIn) =>
  updateSignIn(pool, session, { ...session, state: "ended" });
