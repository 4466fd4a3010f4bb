import type { FastifyInstance } from "fastify";
import { AccountPaymentPage, PaymentQuery } from "#contract/payments.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError } from "../http/errors.ts";
import { pageBefore } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { isPayment, selectPayments } from "./store.ts";

export function accountPaymentRoutes(
  api: FastifyInstance,
  { pool, publicUrl }: ServiceContext,
) {
  api.get(
    "/payments/",
    filteredRoute({
      summary: "List payments",
      description:
        "What was paid, newest first; `next` is the URL of the next page. Each amount is the one that the checkout charged and `checkout.succeeded` reported.",
      filters: PaymentQuery,
      meanings: {
        reference: "The receipt's reference, the payment's id or the provider's reference",
        customer_id: "Only payments of this customer",
        subscription_id: "Only payments for this subscription",
        amount: "Only payments of this amount",
        day: "Only payments of this day in the account's time zone",
        before: "Only payments before the one with this id",
        page_size: "Rows per page",
      },
      answer: AccountPaymentPage,
      read: async ({ page_size, ...query }, request) => {
        const seller = sellerOf(request);
        if (query.before && !(await isPayment(pool, seller.seller_id, query.before)))
          throw new ApiError(400, { before: ["There is no such payment."] });
        const rows = await selectPayments(pool, seller, query, page_size + 1);
        const idOf = (row: (typeof rows)[number]) => row.payment_id;
        return pageBefore(rows, { publicUrl, request, size: page_size, idOf });
      },
    }),
  );
}
