import type { FastifyInstance } from "fastify";
import { MAX_DOCUMENT_BYTES } from "#contract/names.ts";
import {
  ApprovePayment,
  ConfirmRefund,
  GiveReason,
  OwedPayment,
  RecordedPayment,
  RecordedPaymentPage,
  RecordedQuery,
  RecordPayment,
  Refund,
  RefundPage,
  RefundQuery,
  RequestRefund,
} from "#contract/recorded-payments.ts";
import { DocumentContent } from "#contract/verification.ts";
import { paymentContext } from "../checkout/provider.ts";
import type { ServiceContext } from "../context.ts";
import { transaction } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { pageBefore } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { filteredRoute } from "../http/read.ts";
import { writeRoute } from "../http/write.ts";
import { sellerNow } from "../sellers/store.ts";
import {
  approvePayment,
  declinePayment,
  readOwed,
  recordPayment,
  reversePayment,
} from "./record.ts";
import { findPhoto, selectRecorded, selectRefunds } from "./recorded-store.ts";
import {
  confirmRefund,
  refundByHand,
  refuseRefund,
  requestRefund,
  retryRefund,
} from "./refund.ts";

/** Bytes of a body that holds a photo in base64, with room for the other fields. */
const BODY_LIMIT = Math.ceil((MAX_DOCUMENT_BYTES * 4) / 3) + 10_000;
const CHANGED = { 409: "Its state does not allow that; nothing was changed" };

/** Payments that came without the checkout, and refunds (ADR 0260). */
export function recordedPaymentRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;
  const payments = paymentContext(context);

  api.get<{ Params: { id: string } }>(
    "/subscriptions/:id/payments/",
    withRouteDoc({
      summary: "Get what is owed for a subscription",
      description:
        "The payment that is owed now, calculated as at the checkout, with the recorded payments and the refunds.",
      answer: OwedPayment,
    }),
    (request) => {
      const seller = sellerOf(request);
      const clock = () => sellerNow(seller, now());
      return transaction(pool, (database) =>
        readOwed({ database, seller, clock }, payments, request.params.id),
      );
    },
  );

  api.post("/subscriptions/:id/payments/", {
    bodyLimit: BODY_LIMIT,
    ...writeRoute(context, {
      summary: "Record a payment made another way",
      description:
        "Cash, a transfer or another payment that came without the checkout. It must be what is owed, exactly. It counts at once, with the events of a payment at the checkout; above the account's `approve_payments_above` it waits until another member approves it. A photo is a PNG or JPEG image or a PDF of at most 5 MB.",
      status: 201,
      success: "Recorded; `state` says whether it counts or waits",
      answer: RecordedPayment,
      refusals: {
        409: "The payment is not owed, or was made in the meantime; nothing was recorded",
      },
      schema: RecordPayment,
      work: (write, input, { params }) => recordPayment(write, params.id, input),
    }),
  });

  api.get(
    "/recorded-payments/",
    filteredRoute({
      summary: "List recorded payments",
      description: "Newest first; `next` is the URL of the next page.",
      filters: RecordedQuery,
      meanings: {
        state: "Only recorded payments in this state",
        before: "Only those before the one with this id",
        page_size: "Rows per page",
      },
      answer: RecordedPaymentPage,
      read: async ({ page_size: size, ...query }, request) => {
        const { seller_id } = sellerOf(request);
        const rows = await selectRecorded(pool, seller_id, query, size + 1);
        return pageBefore(rows, { publicUrl, request, size, idOf: ({ id }) => id });
      },
    }),
  );

  api.get<{ Params: { id: string } }>(
    "/recorded-payments/:id/photo/",
    withRouteDoc({ summary: "Get the photo of a recorded payment", answer: DocumentContent }),
    async (request): Promise<DocumentContent> => {
      const { id } = request.params;
      const photo = isUuid(id) ? await findPhoto(pool, sellerOf(request).seller_id, id) : null;
      if (!photo) throw notFoundError();
      return { ...photo, name: "photo", content: photo.content.toString("base64") };
    },
  );

  api.post(
    "/recorded-payments/:id/approve/",
    writeRoute(context, {
      summary: "Approve a recorded payment",
      description:
        "Done by another member than the one who recorded it. The payment then counts.",
      answer: RecordedPayment,
      refusals: CHANGED,
      schema: ApprovePayment,
      work: (write, { by }, { params }) => approvePayment(write, params.id, by),
    }),
  );

  api.post(
    "/recorded-payments/:id/decline/",
    writeRoute(context, {
      summary: "Decline a recorded payment",
      description: "For a payment that waits for approval. It then never counts.",
      answer: RecordedPayment,
      refusals: CHANGED,
      schema: GiveReason,
      work: (write, { by, reason }, { params }) => declinePayment(write, params.id, by, reason),
    }),
  );

  api.post(
    "/recorded-payments/:id/reverse/",
    writeRoute(context, {
      summary: "Take a recorded payment back",
      description:
        "For a payment that counts, but whose money did not come. It stays in the list with the reason. The subscription stays as it is: cancel it or move its billing date.",
      answer: RecordedPayment,
      refusals: CHANGED,
      schema: GiveReason,
      work: (write, { by, reason }, { params }) => reversePayment(write, params.id, by, reason),
    }),
  );

  api.post(
    "/payments/:id/refunds/",
    writeRoute(context, {
      summary: "Give a payment back",
      description:
        "In whole or in part, never more than was paid. The provider with which the buyer paid makes the refund, if it can; a refund `by_hand` is made by a person, who then confirms it. The subscription stays as it is.",
      status: 201,
      success: "Begun",
      answer: Refund,
      refusals: CHANGED,
      schema: RequestRefund,
      work: (write, input, { params }) => requestRefund(write, payments, params.id, input),
    }),
  );

  api.get(
    "/refunds/",
    filteredRoute({
      summary: "List refunds",
      description:
        "Refunds that were or are to be made, of payments and of money that was not owed. Newest first; `next` is the URL of the next page.",
      filters: RefundQuery,
      meanings: {
        is_open:
          "Only refunds that have not ended, those that the provider refused included, or only ended ones",
        payment_id: "Only refunds of this payment",
        before: "Only those before the one with this id",
        page_size: "Rows per page",
      },
      answer: RefundPage,
      read: async ({ page_size: size, is_open, ...rest }, request) => {
        const query = {
          ...rest,
          is_open: is_open === undefined ? undefined : is_open === "true",
        };
        const { seller_id } = sellerOf(request);
        const rows = await selectRefunds(pool, payments, seller_id, query, size + 1);
        return pageBefore(rows, { publicUrl, request, size, idOf: ({ id }) => id });
      },
    }),
  );

  api.post(
    "/refunds/:id/confirm/",
    writeRoute(context, {
      summary: "Confirm a refund made by hand",
      description:
        "Also for a refund that the provider refused and that was then made in another way.",
      answer: Refund,
      refusals: CHANGED,
      schema: ConfirmRefund,
      work: (write, { by, reference }, { params }) =>
        confirmRefund(write, payments, params.id, by, reference),
    }),
  );

  api.post(
    "/refunds/:id/refuse/",
    writeRoute(context, {
      summary: "End a refund that is not made",
      description:
        "The amount can then be given back by another refund. Not possible for money that was not owed, which always goes back.",
      answer: Refund,
      refusals: CHANGED,
      schema: GiveReason,
      work: (write, { by, reason }, { params }) =>
        refuseRefund(write, payments, params.id, by, reason),
    }),
  );

  api.post(
    "/refunds/:id/retry/",
    writeRoute(context, {
      summary: "Try a refused refund again",
      description: "For a refund that the provider refused.",
      answer: Refund,
      refusals: CHANGED,
      work: (write, _none, { params }) => retryRefund(write, payments, params.id),
    }),
  );

  api.post(
    "/refunds/:id/by-hand/",
    writeRoute(context, {
      summary: "Give a refund back by hand",
      description:
        "For a refund that the provider refused or has not begun. A person makes and confirms it.",
      answer: Refund,
      refusals: CHANGED,
      work: (write, _none, { params }) => refundByHand(write, payments, params.id),
    }),
  );
}
