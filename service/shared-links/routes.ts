import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { networkOf } from "#contract/process/network.ts";
import { isCodeOpen } from "../checkout/codes.ts";
import { guardPages, sendPage } from "../checkout/page.ts";
import { provenCookie } from "../checkout/payer.ts";
import { paymentContext } from "../checkout/provider.ts";
import { LANGUAGE_QUERY, PageId, readerOf, TypedCode } from "../checkout/reader.ts";
import type { ServiceContext } from "../context.ts";
import { isUuid } from "../http/ids.ts";
import { RateLimit } from "../http/rate-limit.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { addressOf, openSharedLink } from "./open.ts";
import { beginOrder, confirmOrder } from "./order.ts";
import { closedPage, confirmPage, hasItPage, orderPage, type ShownOffer } from "./pages.ts";
import { selectOrder, type Details } from "./store.ts";
import { SHARED_LINK_FAULTS } from "./words.ts";

/** Orders, and wrong codes, from one network. */
const TRIES_A_MINUTE = 30;
/** Orders from one network at one seller, so that one network cannot use up the seller's limit. */
const ORDERS_AN_HOUR = 60;
/**
 * Milliseconds after which an order is answered, more than any takes, so that the time does not
 * tell whether the number is known.
 */
const ANSWER_AFTER = 300;

const Text = z.string().max(2_000).catch("");
const PlaceOrder = z.object({
  full_name: Text,
  phone: Text,
  email: Text,
  address: Text,
  page: PageId,
});
/** The fields of a body that is no form. */
const NOTHING = { full_name: "", phone: "", email: "", address: "", page: undefined };
const OrderAgain = z.object({ order: z.guid(), page: PageId });
const Confirm = z.object({ order: z.guid(), code: TypedCode });

type LinkRequest = FastifyRequest<{
  Params: { key: string };
  Querystring: { order?: unknown; outcome?: unknown };
}>;

const EXAMPLE_ORDER = "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5";

/** The pages at which new buyers order by themselves (ADR 0060). */
export async function sharedLinkPages(app: FastifyInstance, context: ServiceContext) {
  const payments = paymentContext(context);
  const { pool, now, mode, publicUrl } = payments;
  await app.register(formbody, { bodyLimit: 16 * 1024 });
  guardPages(app, { formTargets: "'self'", publicUrl, faults: SHARED_LINK_FAULTS });
  const tries = new RateLimit(TRIES_A_MINUTE, () => now().getTime());
  // The limit is per minute; time divided by sixty makes it per hour.
  const orders = new RateLimit(ORDERS_AN_HOUR, () => now().getTime() / 60);

  const shownFor = async (request: LinkRequest): Promise<ShownOffer> => ({
    offer: await openSharedLink(payments, request.params.key),
    mode,
    reader: readerOf(request),
    outcome: typeof request.query.outcome === "string" ? request.query.outcome : null,
  });

  const back = (
    reply: FastifyReply,
    { offer, reader }: ShownOffer,
    query: Record<string, string> = {},
  ) => {
    const text = new URLSearchParams(query).toString();
    const address = `${addressOf(offer.link)}${text && `?${text}`}`;
    return reply.redirect(reader.own(address), 303);
  };

  /**
   * Answers with `act` at an open link; at any other, with the reason why nobody can order there.
   */
  const atOpenLink =
    (act: (request: LinkRequest, reply: FastifyReply, shown: ShownOffer) => Promise<unknown>) =>
    async (request: LinkRequest, reply: FastifyReply) => {
      const shown = await shownFor(request);
      const { closed } = shown.offer;
      return closed === null
        ? act(request, reply, shown)
        : sendPage(reply.code(410), closedPage(shown, closed), shown.reader);
    };

  /** Begins an order and leads to the page for its code, or shows the form with its problems. */
  const begin = async (
    request: LinkRequest,
    reply: FastifyReply,
    shown: ShownOffer,
    { typed, page }: { typed: Details; page: string | undefined },
  ) => {
    const arrived = delay(ANSWER_AFTER);
    const network = networkOf(request.ip);
    const atSeller = `${shown.offer.seller.seller_id} ${network}`;
    const isFull = tries.waitOf(network) > 0 || orders.waitOf(atSeller) > 0;
    if (!isFull) tries.count(network);
    const begun = isFull
      ? { problem: "too_many" as const }
      : await beginOrder(payments, shown.offer, {
          typed,
          page,
          reader: shown.reader,
          network,
        });
    await arrived;
    if ("id" in begun) {
      orders.count(atSeller);
      return back(reply, shown, { order: begun.id });
    }
    const problems = "problems" in begun ? begun.problems : {};
    const outcome = "problem" in begun ? begun.problem : null;
    const frame = orderPage({ ...shown, outcome }, { typed, problems });
    return sendPage(reply.code(400), frame, shown.reader);
  };

  app.get(
    "/buy/:key",
    withRouteDoc({
      summary: "Show a shared link's page",
      description:
        "Shows what a billing period costs today, and the form to order it; after an order, the form for its code.",
      success: "The page",
      answer: "text/html",
      query: LANGUAGE_QUERY,
    }),
    atOpenLink(async (request, reply, shown) => {
      const { offer, reader, outcome } = shown;
      if (outcome === "has_it") return sendPage(reply, hasItPage(shown), reader);
      const { order: id } = request.query;
      if (typeof id !== "string") return sendPage(reply, orderPage(shown), reader);
      const order = isUuid(id) ? await selectOrder(pool, offer.link, id) : null;
      const frame =
        order && isCodeOpen(order, now())
          ? confirmPage(shown, order)
          : orderPage({ ...shown, outcome: "expired" });
      return sendPage(reply, frame, reader);
    }),
  );

  app.post(
    "/buy/:key",
    withRouteDoc({
      summary: "Order at a shared link",
      description:
        "Sends a code to the phone number. The answer is the same whether the seller knows the number or not, and no buyer's details change before the code is confirmed.",
      status: 303,
      success: "To the form for the code",
      form: {
        schema: PlaceOrder,
        example: {
          full_name: "Asmita Rai",
          phone: "9800000001",
          email: "asmita@example.com",
          address: "Patan, Lalitpur",
        },
      },
    }),
    atOpenLink(async (request, reply, shown) => {
      const { page, ...typed } = PlaceOrder.catch(NOTHING).parse(request.body);
      return begin(request, reply, shown, { typed, page });
    }),
  );

  app.post(
    "/buy/:key/again",
    withRouteDoc({
      summary: "Request another code at a shared link",
      status: 303,
      success: "To the form for the code",
      form: { schema: OrderAgain, example: { order: EXAMPLE_ORDER } },
    }),
    atOpenLink(async (request, reply, shown) => {
      const input = OrderAgain.safeParse(request.body);
      const known =
        input.success && (await selectOrder(pool, shown.offer.link, input.data.order));
      if (!known || known.state === "done") return back(reply, shown, { outcome: "expired" });
      return begin(request, reply, shown, { typed: known, page: input.data?.page });
    }),
  );

  app.post(
    "/buy/:key/confirm",
    withRouteDoc({
      summary: "Confirm an order with its code",
      description: "Creates the subscription by the rules of the API's creation.",
      status: 303,
      success: "To the checkout, or back to the form",
      form: { schema: Confirm, example: { order: EXAMPLE_ORDER, code: "424242" } },
    }),
    atOpenLink(async (request, reply, shown) => {
      const network = networkOf(request.ip);
      const input = Confirm.safeParse(request.body);
      if (!input.success) return back(reply, shown, { outcome: "expired" });
      const { order: id, code } = input.data;
      if (tries.waitOf(network) > 0)
        return back(reply, shown, { order: id, outcome: "too_many" });
      const confirmed = await confirmOrder(payments, shown.offer, { id, code });
      if ("subscription_id" in confirmed) {
        const { subscription_id } = confirmed;
        const cookie = provenCookie(payments, subscription_id);
        if (cookie) reply.header("set-cookie", cookie);
        return reply.redirect(shown.reader.own(`/pay/${subscription_id}`), 303);
      }
      tries.count(network);
      const { problem } = confirmed;
      return back(reply, shown, {
        outcome: problem,
        ...(problem === "wrong_code" && { order: id }),
      });
    }),
  );
}
