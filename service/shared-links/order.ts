import { randomUUID } from "node:crypto";
import { CreateSubscription } from "#contract/subscriptions.ts";
import { buyersPageOf } from "../account/profile.ts";
import {
  afterWrongCode,
  areCodesUsedUp,
  codeIdOf,
  codesSince,
  isCodeOf,
  isCodeOpen,
  isJustSent,
  newCode,
  WRONG_CODES_ALLOWED,
} from "../checkout/codes.ts";
import { detailProblemsOf } from "../checkout/details/correct.ts";
import { networkKeyOf } from "../checkout/payer.ts";
import type { PaymentContext } from "../checkout/provider.ts";
import { latinDigits, type PageReader } from "../checkout/reader.ts";
import { findCountedKey } from "../customers/store.ts";
import { transaction } from "../db/database.ts";
import { ApiError, isAlreadyActive } from "../http/errors.ts";
import { ORDER_CAUSE, queueMessage } from "../messages/outbox.ts";
import { lockSeller, sellerNow } from "../sellers/store.ts";
import { createOrReuse } from "../subscriptions/create.ts";
import type { SharedOffer } from "./open.ts";
import {
  countOrders,
  countWrongCodeOfOrder,
  finishOrder,
  insertOrder,
  lockOrder,
  lockOrders,
  selectOrder,
  type Details,
} from "./store.ts";
import { SHARED_LINK_WORDS } from "./words.ts";

// Each code is a message that the seller pays for.
const CODES_AN_HOUR = { link: 200, seller: 300 };

/** In the order of the form. */
export const DETAIL_FIELDS = ["full_name", "phone", "email", "address"] as const;
export type DetailField = (typeof DETAIL_FIELDS)[number];
export type OrderProblems = NonNullable<ReturnType<typeof detailProblemsOf<DetailField>>>;

type Begun =
  { id: string } | { problems: OrderProblems } | { problem: "too_many" | "too_soon" };

/**
 * Stores the filled-in form and sends a code to the number, whether the seller knows it or not: no
 * buyer's record is shown or changed before the code proves whose number it is.
 * @param page an id generated for each page, so that a form sent twice begins one order
 */
export async function beginOrder(
  { pool, now, mode, ...keys }: PaymentContext,
  { link, seller }: SharedOffer,
  {
    typed,
    page,
    reader,
    network: from,
  }: { typed: Details; page: string | undefined; reader: PageReader; network: string },
): Promise<Begun> {
  const given = { ...typed, phone: latinDigits(typed.phone) };
  const problems = detailProblemsOf(DETAIL_FIELDS, given);
  if (problems) return { problems };
  const details = CreateSubscription.shape.client.parse(given);
  const { seller_id } = seller;
  return transaction(pool, async (database) => {
    await lockOrders(database, seller_id);
    const moment = now();
    const { phone } = details;
    const phone_key = await findCountedKey(database, { seller, phone });
    const own = page === undefined ? null : codeIdOf(link.link_key, page);
    const before = own && (await selectOrder(database, link, own));
    const isSameForm =
      before && DETAIL_FIELDS.every((field) => before[field] === details[field]);
    if (isSameForm && isCodeOpen(before, moment) && isJustSent(before, moment))
      return { id: before.order_id };
    const { shared_link_id } = link;
    const network = networkKeyOf(keys, from);
    const counted = await countOrders(
      database,
      { seller_id, shared_link_id, phone_key, network },
      codesSince(moment),
    );
    if (counted.hasUnusedNew) return { problem: "too_soon" };
    const isFull =
      areCodesUsedUp(counted) ||
      counted.ofLink >= CODES_AN_HOUR.link ||
      counted.ofSeller >= CODES_AN_HOUR.seller;
    if (isFull) return { problem: "too_many" };
    const id = own && !before ? own : randomUUID();
    const { code, ...kept } = newCode(mode, id, moment);
    await insertOrder(database, {
      order_id: id,
      seller_id,
      shared_link_id,
      phone_key,
      ...details,
      network,
      created_at: moment,
      ...kept,
    });
    const { subject, body } = SHARED_LINK_WORDS[reader.language];
    await queueMessage(database, {
      seller_id,
      kind: "code",
      cause: `${ORDER_CAUSE}${id}`,
      subscription_id: null,
      phone,
      // The code goes to the number alone: a code by mail would not prove the number.
      email: "",
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

type Confirmed = { subscription_id: string } | { problem: "wrong_code" | "expired" | "has_it" };

/** Creates the subscription of an order with the right code, by the rules of the API's creation. */
export async function confirmOrder(
  { pool, now, mode, publicUrl }: PaymentContext,
  { link, seller }: SharedOffer,
  { id, code }: { id: string; code: string },
): Promise<Confirmed> {
  try {
    return await transaction(pool, async (database): Promise<Confirmed> => {
      const order = await lockOrder(database, link, id);
      const isRight = order !== null && isCodeOf(id, order, code);
      const isLate = order === null || order.expires_at <= now();
      if (isLate || order.wrong_codes >= WRONG_CODES_ALLOWED) return { problem: "expired" };
      if (!isRight) {
        const changes = afterWrongCode(order);
        await countWrongCodeOfOrder(database, order, changes);
        return { problem: changes.state === "open" ? "wrong_code" : "expired" };
      }
      // The form was sent twice.
      if (order.subscription_id !== null) return { subscription_id: order.subscription_id };
      const at = sellerNow(seller, now());
      const { phone, full_name, email, address } = order;
      // The lock comes before the billing period is read, so that an offer that ends meanwhile is
      // refused.
      await lockSeller(database, seller.seller_id);
      const { created, isNew } = await createOrReuse(
        { database, seller, mode, publicUrl, clock: () => at },
        {
          pbp_id: link.pbp_id,
          return_url: link.return_url ?? `${publicUrl}${buyersPageOf(seller)}`,
          client: { phone, full_name, email, address },
        },
      );
      const { subscription_id } = created;
      await finishOrder(database, order, { subscription_id, is_origin: isNew });
      return { subscription_id };
    });
  } catch (error) {
    // Only the proven buyer is told that they have the subscription already.
    if (isAlreadyActive(error)) return { problem: "has_it" };
    // The offer ended while the code was typed; the page says why.
    if (error instanceof ApiError && error.status === 400) return { problem: "expired" };
    throw error;
  }
}
