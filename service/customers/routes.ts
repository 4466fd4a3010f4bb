import type { FastifyInstance } from "fastify";
import { Customer, CustomerPage } from "#contract/customers.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFoundError } from "../http/errors.ts";
import { requireRecordId } from "../http/ids.ts";
import { pagedList } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { countCustomers, presentCustomer, selectCustomer, selectCustomers } from "./store.ts";

export function customerRoutes(api: FastifyInstance, { pool, publicUrl }: ServiceContext) {
  api.get(
    "/customers/",
    withRouteDoc({ summary: "List customers", isPaged: true, answer: CustomerPage }),
    pagedList(publicUrl, async (sellerId, paging) => {
      const count = await countCustomers(pool, sellerId);
      const rows = await selectCustomers(pool, sellerId, paging, count);
      return { count, results: rows.map(presentCustomer) };
    }),
  );

  api.get<{ Params: { id: string } }>(
    "/customers/:id/",
    withRouteDoc({ summary: "Get a customer", answer: Customer }),
    async (request) => {
      const id = requireRecordId(request.params.id);
      const row = await selectCustomer(pool, sellerOf(request).seller_id, id);
      if (!row) throw notFoundError();
      return presentCustomer(row);
    },
  );
}
