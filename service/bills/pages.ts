import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOf } from "#contract/process/network.ts";
import { guardPages, noticeBox, sendPage, type PageFrame } from "../checkout/page.ts";
import { LANGUAGE_QUERY, readerOf, type PageReader } from "../checkout/reader.ts";
import type { ServiceContext } from "../context.ts";
import { detailError, notFoundError } from "../http/errors.ts";
import { html } from "../http/html.ts";
import { isUuid } from "../http/ids.ts";
import { RateLimit } from "../http/rate-limit.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import type { Bill } from "./bill.ts";
import { billFileName, findBillOf, findConfirmed, readBillPdf } from "./store.ts";

/** Requests a minute from one network for bills that do not exist. */
const STRAYS_PER_MINUTE = 30;

/** The page that a bill's QR code opens, and the PDF that its buyer reads. */
export async function billPages(app: FastifyInstance, context: ServiceContext) {
  const { pool, mode, publicUrl } = context;
  guardPages(app, { formTargets: "'self'", publicUrl });
  const strays = new RateLimit(STRAYS_PER_MINUTE);
  /** @throws 404; 429 if that network named too many bills that do not exist */
  const requireFound = async <Found>(
    { ip }: FastifyRequest,
    find: () => Promise<Found | null>,
  ): Promise<Found> => {
    const network = networkOf(ip);
    const wait = strays.waitOf(network);
    if (wait > 0)
      throw detailError(429, `Too many requests. Try again in ${wait} s.`, {
        "retry-after": String(wait),
      });
    const found = await find();
    if (found !== null) return found;
    strays.count(network);
    throw notFoundError();
  };

  app.get<{ Params: { code: string } }>(
    "/bill/:code",
    withRouteDoc({
      summary: "Confirm a bill",
      description:
        "The page to which a bill's QR code leads. It shows the number and sum, and nothing else.",
      success: "The page",
      answer: "text/html",
      query: LANGUAGE_QUERY,
    }),
    async (request, reply) => {
      const { code } = request.params;
      const bill = await requireFound(request, async () =>
        isUuid(code) ? findConfirmed(pool, code) : null,
      );
      const reader = readerOf(request);
      return sendPage(reply, confirmingPage(bill, mode, reader), reader);
    },
  );

  app.get<{ Params: { id: string; bill: string } }>(
    "/pay/:id/bill/:bill",
    withRouteDoc({
      summary: "Read a bill as its buyer",
      description: "The PDF of a bill of this subscription.",
      success: "The PDF",
      answer: "application/pdf",
    }),
    async (request, reply) => {
      const { id, bill: billId } = request.params;
      const bill = await requireFound(request, async () =>
        isUuid(id) && isUuid(billId) ? findBillOf(pool, id, billId) : null,
      );
      return reply
        .type("application/pdf")
        .header("content-disposition", `attachment; filename="${billFileName(bill)}"`)
        .send(await readBillPdf(context, bill));
    },
  );
}

function confirmingPage(
  { kind, label, currency, amount }: Pick<Bill, "kind" | "label" | "currency" | "amount">,
  mode: "test" | "live",
  { texts, money }: PageReader,
): PageFrame {
  const { bills } = texts;
  return {
    title: bills.confirmed,
    body: html`<header><h1>${bills.confirmed}</h1></header>
      ${mode === "test" && noticeBox(bills.notValid, "bad")}
      <dl class="lines">
        <div>
          <dt>${bills.kinds[kind]}</dt>
          <dd class="name">${label}</dd>
        </div>
        <div class="total">
          <dt>${bills.sum}</dt>
          <dd>${money(currency, amount)}</dd>
        </div>
      </dl>`,
  };
}
