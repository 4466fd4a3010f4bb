import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { getCustomer } from "./get.ts";
import { listCustomers } from "./list.ts";

export function customerRoutes(api: FastifyInstance, { pool, publicUrl }: ServiceContext) {
  const url = `${publicUrl}/api/v1/customers/`;

  api.get<{ Querystring: Record<string, unknown> }>("/customers/", async (request) => {
    const { query } = request;
    const paging = readPaging(query);
    const listed = await listCustomers(pool, sellerOf(request).seller_id, paging);
    return paginate({ url, query, ...paging, ...listed });
  });

  api.get<{ Params: { id: string } }>("/customers/:id/", async (request) =>
    getCustomer(pool, sellerOf(request).seller_id, request.params.id),
  );
}
