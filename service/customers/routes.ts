import type { FastifyInstance } from "fastify";
import { Customer, CustomerPage } from "#contract/customers.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { documented } from "../http/route-doc.ts";
import { getCustomer } from "./get.ts";
import { listCustomers } from "./list.ts";

export function customerRoutes(api: FastifyInstance, { pool, publicUrl }: ServiceContext) {
  const url = `${publicUrl}/api/v1/customers/`;

  api.get<{ Querystring: Record<string, unknown> }>(
    "/customers/",
    documented({ summary: "List customers", isPaged: true, answer: CustomerPage }),
    async (request) => {
      const { query } = request;
      const paging = readPaging(query);
      const listed = await listCustomers(pool, sellerOf(request).seller_id, paging);
      return paginate({ url, query, ...paging, ...listed });
    },
  );

  api.get<{ Params: { id: string } }>(
    "/customers/:id/",
    documented({ summary: "Get a customer", answer: Customer }),
    async (request) => getCustomer(pool, sellerOf(request).seller_id, request.params.id),
  );
}
