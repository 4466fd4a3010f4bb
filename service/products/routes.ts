import type { FastifyInstance } from "fastify";
import { ProductPage, type Product } from "#contract/products.ts";
import type { ServiceContext } from "../context.ts";
import { pagedList } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { countProducts, selectProducts } from "./store.ts";

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
      const results = rows.map((row): Product => ({
        ...row,
        created_at: row.created_at.toISOString(),
        updated_at: row.updated_at.toISOString(),
      }));
      return { count, results };
    }),
  );
}
