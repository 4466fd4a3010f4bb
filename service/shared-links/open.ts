import { localDate } from "#contract/process/local-day.ts";
import type { SharedLinkProblem } from "#contract/names.ts";
import { waysOf } from "../buyers/sign-in.ts";
import { selectBranding } from "../checkout/branding.ts";
import { orderProblem, priceOn, type ShownCheckout } from "../checkout/open.ts";
import type { PaymentContext } from "../checkout/provider.ts";
import { notFoundError } from "../http/errors.ts";
import { findSellerOfBuyers, sellerNow, type Seller } from "../sellers/store.ts";
import { selectLink, type OpenLink } from "./store.ts";

/** The key of a shared link in its URL. */
const KEY = /^[0-9a-f]{24}$/;

export const addressOf = ({ link_key }: Pick<OpenLink, "link_key">) => `/buy/${link_key}`;

/** Why nobody can order there; the first two are the seller's own choice. */
export type Closed = "paused" | "off_sale" | SharedLinkProblem;

/** A shared link with all that its page shows. */
export interface SharedOffer extends Pick<
  ShownCheckout,
  "seller" | "branding" | "amount" | "vatRate"
> {
  link: OpenLink;
  closed: Closed | null;
}

/** Why nobody can order by any shared link of the seller; null if they can. */
export async function problemOfSeller(
  { pool, mode }: Pick<PaymentContext, "pool" | "mode">,
  seller: Seller,
): Promise<SharedLinkProblem | null> {
  const problem = await orderProblem(pool, seller, mode);
  if (problem !== null) return problem;
  // Only a code proves whose number it is, and so keeps strangers from a known buyer's record.
  return (await waysOf({ pool, mode }, seller)).phone ? null : "no_codes";
}

/** @throws 404 for an unknown or malformed key */
export async function openSharedLink(
  payments: Pick<PaymentContext, "pool" | "now" | "mode">,
  key: string,
): Promise<SharedOffer> {
  const { pool, now } = payments;
  const link = KEY.test(key) ? await selectLink(pool, key) : null;
  const seller = link && (await findSellerOfBuyers(pool, link.seller_id));
  if (!link || !seller) throw notFoundError();
  const today = localDate(sellerNow(seller, now()), seller.time_zone).toString();
  return {
    link,
    seller,
    branding: await selectBranding(pool, seller.seller_id, link.product_id),
    ...(await priceOn(pool, link, today)),
    closed: !link.is_active
      ? "paused"
      : !link.is_on_sale
        ? "off_sale"
        : await problemOfSeller(payments, seller),
  };
}
