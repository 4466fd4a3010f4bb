import type { FastifyInstance } from "fastify";
import { ChangeSharedLink, SharedLink, SharedLinkList } from "#contract/products.ts";
import { paymentContext } from "../checkout/provider.ts";
import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { addressOf, problemOfSeller } from "./open.ts";
import {
  isOfSeller,
  newLinkKey,
  openLink,
  pauseLink,
  renewLink,
  selectLinksOf,
  selectPeriodOf,
} from "./store.ts";

interface ProductParams {
  id: string;
}

/** The seller's side of shared links: switched on and off, and given another address. */
export function sharedLinkRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;
  const payments = paymentContext(context);

  const linksOf = async (database: Database, sellerId: number, productId: string) =>
    (await selectLinksOf(database, sellerId, productId)).map(
      ({ link_key, created_at, newest, ...link }): SharedLink => ({
        ...link,
        newest: newest.map((one) => ({
          ...one,
          ordered_at: new Date(one.ordered_at).toISOString(),
        })),
        address: `${publicUrl}${addressOf({ link_key })}`,
        created_at: created_at.toISOString(),
      }),
    );

  api.get<{ Params: ProductParams }>(
    "/products/:id/shared-links/",
    withRouteDoc({
      summary: "List a product's shared links",
      description:
        "The addresses at which new buyers order a billing period by themselves, also those switched off.",
      answer: SharedLinkList,
    }),
    async (request): Promise<SharedLinkList> => {
      const { id } = request.params;
      const seller = sellerOf(request);
      const { seller_id } = seller;
      await requireProduct(pool, seller_id, id);
      return {
        problem: await problemOfSeller(payments, seller),
        results: await linksOf(pool, seller_id, id),
      };
    },
  );

  api.post(
    "/products/:id/shared-links/",
    writeRoute<ProductParams, ChangeSharedLink, SharedLink>(context, {
      summary: "Change the shared link of a billing period",
      description:
        "`open` switches it on, with an address that stays; `pause` switches it off; `renew` gives it another address, and the earlier address stops working.",
      answer: SharedLink,
      schema: ChangeSharedLink,
      refusals: {
        400: {
          text: "The billing period is not of this product, or not on sale",
          schema: "Problem",
        },
      },
      work: async ({ database, seller: { seller_id } }, { pbp_id, change }, { params }) => {
        const productId = params.id;
        await requireProduct(database, seller_id, productId);
        const period = await selectPeriodOf(database, { seller_id, productId, pbp_id });
        if (!period)
          throw new ApiError(400, { pbp_id: ["The product has no such billing period."] });
        const link_key = newLinkKey();
        if (change === "open") {
          if (!period.is_visible)
            throw detailError(400, "This billing period is not on sale, so it gets no link.");
          await openLink(database, { seller_id, pbp_id, link_key, at: now() });
        } else if (change === "pause") await pauseLink(database, { seller_id, pbp_id });
        else await renewLink(database, { seller_id, pbp_id, link_key });
        const links = await linksOf(database, seller_id, productId);
        const changed = links.find((link) => link.pbp_id === pbp_id);
        if (!changed) throw detailError(400, "This billing period has no shared link.");
        return changed;
      },
    }),
  );
}

/** @throws 404 for a product that the seller does not have */
async function requireProduct(database: Database, sellerId: number, id: string): Promise<void> {
  if (!isUuid(id) || !(await isOfSeller(database, sellerId, id))) throw notFoundError();
}
