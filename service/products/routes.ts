import type { FastifyInstance } from "fastify";
import { ProductPage } from "#contract/products.ts";
import type { ServiceContext } from "../context.ts";
import { pagedList } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { countProducts, presentProduct, selectProducts } from "./store.ts";

export function productRoutes(api: FastifyInstance, { pool, publicUrl }: ServiceContext) {
  api.get(
    "/products/",
    withRouteDoc({
      summary: "List products",
      description:
        "Active products with their visible billing periods, newest first. Works before the account is verified.",
      isPaged: true,
      answer: ProductPage,
    }),
    pagedList(publicUrl, async (sellerId, paging) => {
      const count = await countProducts(pool, sellerId);
      const rows = await selectProducts(pool, sellerId, paging);
      return { count, results: rows.map(presentProduct) };
    }),
  );
}
