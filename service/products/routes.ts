import type { FastifyInstance } from "fastify";
import { ProductPage } from "#contract/products.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { listProducts } from "./list.ts";

export function productRoutes(api: FastifyInstance, { pool, publicUrl }: ServiceContext) {
  api.get<{ Querystring: Record<string, unknown> }>(
    "/products/",
    {
      config: {
        beforeVerification: true,
        doc: {
          summary: "List products",
          description:
            "Active products with their visible billing periods, newest first. Works before the account is verified.",
          isPaged: true,
          answer: ProductPage,
        },
      },
    },
    async (request) => {
      const paging = readPaging(request.query);
      const listed = await listProducts(pool, sellerOf(request).seller_id, paging);
      return paginate({
        url: `${publicUrl}/api/v1/products/`,
        query: request.query,
        ...paging,
        ...listed,
      });
    },
  );
}
