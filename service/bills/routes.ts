import type { FastifyInstance } from "fastify";
import {
  AccountBillPage,
  BillQuery,
  BillSettings,
  ChangeBillSettings,
} from "#contract/payments.ts";
import { SentMessage } from "#contract/messages.ts";
import { DocumentContent } from "#contract/verification.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { nextPageUrl } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { sendBill } from "./send.ts";
import { changeBillSettings, readBillSettings } from "./settings.ts";
import { billFileName, findBill, readBillPdf, selectBills, selectBillTotals } from "./store.ts";

/** Receipts, VAT bills, credit and debit notes of a seller (ADR 0181). */
export function billRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl } = context;

  api.get(
    "/bills/",
    filteredRoute({
      summary: "List bills",
      description:
        "Receipts, VAT bills, credit and debit notes in the order in which they were issued, or the newest first, numbered without gaps for each kind and fiscal year. `next` is the URL of the next page; the totals cover all matching bills, and are on the first page only.",
      filters: BillQuery,
      meanings: {
        payment_id: "Only bills of this payment",
        subscription_id: "Only bills of this subscription",
        fiscal_year: "Only bills with a number of this fiscal year",
        from: "Only bills from this day on, in the account's time zone",
        until: "Only bills until this day, which is included",
        number:
          "Digits: only bills with this number. Other text: only bills whose number contains it",
        order: "Which bills come first",
        after: "Only bills after the bill with this id, in that order",
        page_size: "Bills per page",
      },
      answer: AccountBillPage,
      read: async ({ page_size, ...query }, request) => {
        const seller = sellerOf(request);
        const rows = await selectBills(pool, seller, query, page_size + 1);
        const results = rows.slice(0, page_size);
        const last = rows.length > page_size ? results.at(-1) : undefined;
        return {
          totals:
            query.after === undefined ? await selectBillTotals(pool, seller, query) : null,
          next: last ? nextPageUrl(publicUrl, request, { after: last.id }) : null,
          results,
        };
      },
    }),
  );

  api.get<{ Params: { id: string } }>(
    "/bills/:id/pdf/",
    withRouteDoc({
      summary: "Get a bill as a PDF",
      description:
        "In English and Nepali, as PDF/A with embedded fonts; the same bytes each time. In the sandbox it says that it is not valid.",
      answer: DocumentContent,
      refusals: { 404: "There is no such bill" },
    }),
    async (request): Promise<DocumentContent> => {
      const { id } = request.params;
      const bill = isUuid(id) ? await findBill(pool, sellerOf(request).seller_id, id) : null;
      if (!bill) throw notFoundError();
      return {
        name: billFileName(bill),
        media_type: "application/pdf",
        content: (await readBillPdf(context, bill)).toString("base64"),
      };
    },
  );

  api.post(
    "/bills/:id/send/",
    writeRoute(context, {
      summary: "Send a bill to its buyer",
      description:
        "Queues a message about the bill by the first channel that reaches the buyer; by mail with the PDF, otherwise with its address. The list of messages shows what became of it.",
      status: 201,
      success: "Queued",
      answer: SentMessage,
      refusals: { 400: "No channel reaches the buyer", 404: "There is no such bill" },
      work: ({ database, seller: { seller_id } }, _, { params }) =>
        sendBill(database, { seller_id, bill_id: params.id }, context),
    }),
  );

  api.get(
    "/bills/settings/",
    withRouteDoc({
      summary: "Get the settings of bills",
      description: "They apply to bills that are issued from now on.",
      answer: BillSettings,
    }),
    (request) => readBillSettings(pool, sellerOf(request).seller_id),
  );

  api.patch(
    "/bills/settings/",
    writeRoute(context, {
      summary: "Change the settings of bills",
      description:
        "Omitted fields stay unchanged. The settings apply to bills that are issued from now on; existing bills stay as they are.",
      answer: BillSettings,
      refusals: {
        409: "The settings were changed in the meantime; this request changed nothing",
      },
      schema: ChangeBillSettings,
      work: ({ database, seller }, change) =>
        changeBillSettings(database, seller.seller_id, change),
    }),
  );
}
