import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { MESSAGE_LANGUAGES } from "#contract/names.ts";
import { networkOf } from "#contract/process/network.ts";
import { setTimeout as delay } from "node:timers/promises";
import { selectBranding } from "../checkout/branding.ts";
import { isCodeOpen } from "../checkout/codes.ts";
import { guardPages, sendPage, type PageFrame } from "../checkout/page.ts";
import { paymentContext } from "../checkout/provider.ts";
import { buyersPageOf } from "../account/profile.ts";
import { LANGUAGE_QUERY, PageId, readerOf, TypedCode } from "../checkout/reader.ts";
import type { ServiceContext } from "../context.ts";
import { notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { RateLimit } from "../http/rate-limit.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { setOptOutOf } from "../reminders/recipients.ts";
import { findSellerOfPage, type Seller } from "../sellers/store.ts";
import { earlierPage, ownPage } from "./own-page.ts";
import {
  endedCookie,
  endSession,
  enterCode,
  findSession,
  sessionCookie,
  startSignIn,
  waysOf,
} from "./sign-in.ts";
import { AskFor, askFor, Withdraw, withdrawRequest } from "./requests.ts";
import { askPage, enterPage, type Shown } from "./sign-in-pages.ts";
import { chooseLanguage, isOwnPayment, selectSignIn, type SignIn } from "./store.ts";

/** Requests for codes, and wrong codes, from one network. */
const TRIES_A_MINUTE = 30;
/**
 * Requests for codes from one network at one seller, so that one network cannot use up the seller's
 * limit.
 */
const CODES_AN_HOUR = 100;
/**
 * Milliseconds after which a request for a code is answered, more than any takes, so that the time
 * does not tell whether the contact is known.
 */
const ANSWER_AFTER = 300;

/** The key of a seller in the address of its page. */
const KEY = /^[0-9a-f]{12}$/;

const AskCode = z.object({
  phone_or_email: z.string().trim().max(320),
  page: PageId,
});
const Enter = z.object({
  id: z.guid(),
  code: TypedCode,
});
const Language = z.object({ language: z.enum(MESSAGE_LANGUAGES) });
const Reminders = z.object({ choice: z.enum(["stop", "resume"]) });

type BuyerRequest = FastifyRequest<{
  Params: { key: string };
  Querystring: { code?: unknown; outcome?: unknown; before?: unknown };
}>;

/** The page of a seller on which its buyers see their subscriptions (ADR 0060). */
export async function buyerRoutes(app: FastifyInstance, context: ServiceContext) {
  const payments = paymentContext(context);
  const { pool, now, mode, publicUrl } = payments;
  await app.register(formbody, { bodyLimit: 8 * 1024 });
  guardPages(app, { formTargets: "'self'", publicUrl });
  const tries = new RateLimit(TRIES_A_MINUTE, () => now().getTime());
  // The limit is per minute; time divided by sixty makes it per hour.
  const codes = new RateLimit(CODES_AN_HOUR, () => now().getTime() / 60);

  const sellerOf = async ({ params: { key } }: BuyerRequest): Promise<Seller> => {
    const seller = KEY.test(key) ? await findSellerOfPage(pool, key) : null;
    if (!seller) throw notFoundError();
    return seller;
  };

  const shownFor = async (request: BuyerRequest, seller: Seller): Promise<Shown> => ({
    seller,
    branding: await selectBranding(pool, seller.seller_id, null),
    mode,
    reader: readerOf(request),
    outcome: typeof request.query.outcome === "string" ? request.query.outcome : null,
  });

  const back = (
    request: BuyerRequest,
    reply: FastifyReply,
    { seller, query = {} }: { seller: Seller; query?: Record<string, string> },
  ) => {
    const text = new URLSearchParams(query).toString();
    const address = `${buyersPageOf(seller)}${text && `?${text}`}`;
    return reply.redirect(readerOf(request).own(address), 303);
  };

  /** The page without a session: asks for the phone number or mail address, then the code. */
  const signInPage = async (request: BuyerRequest, shown: Shown): Promise<PageFrame> => {
    const { code } = request.query;
    const { seller } = shown;
    const ways = await waysOf(payments, seller);
    if (typeof code !== "string") return askPage(shown, ways);
    const signIn = isUuid(code) ? await selectSignIn(pool, seller.seller_id, code) : null;
    return signIn && isCodeOpen(signIn, now())
      ? enterPage(shown, signIn)
      : askPage({ ...shown, outcome: "expired" }, ways);
  };

  app.get(
    "/my/:key",
    withRouteDoc({
      summary: "Show a buyer's page",
      description:
        "What the buyer has and owes at this seller; without a session, the form for a code.",
      success: "The page",
      answer: "text/html",
      query: LANGUAGE_QUERY,
    }),
    async (request: BuyerRequest, reply) => {
      const seller = await sellerOf(request);
      const shown = await shownFor(request, seller);
      const session = await findSession(payments, seller, request.headers.cookie);
      if (!session) return sendPage(reply, await signInPage(request, shown), shown.reader);
      const { before } = request.query;
      if (before === undefined)
        return sendPage(reply, await ownPage(pool, shown, session, now()), shown.reader);
      if (typeof before !== "string" || !isUuid(before)) throw notFoundError();
      if (!(await isOwnPayment(pool, session, before))) throw notFoundError();
      return sendPage(reply, await earlierPage(pool, shown, session, before), shown.reader);
    },
  );

  app.post(
    "/my/:key/code",
    withRouteDoc({
      summary: "Request a code for a buyer's page",
      description:
        "The code goes to the number or address if the seller knows it; if not, no code is sent, and the answer is the same.",
      status: 303,
      success: "To the form for the code",
      form: { schema: AskCode, example: { phone_or_email: "9800000001" } },
    }),
    async (request: BuyerRequest, reply) => {
      const arrived = delay(ANSWER_AFTER);
      const seller = await sellerOf(request);
      const network = networkOf(request.ip);
      const input = AskCode.catch({ phone_or_email: "", page: undefined }).parse(
        request.body ?? {},
      );
      const reader = readerOf(request);
      const atSeller = `${seller.seller_id} ${network}`;
      const isFull = tries.waitOf(network) > 0 || codes.waitOf(atSeller) > 0;
      if (!isFull) {
        tries.count(network);
        codes.count(atSeller);
      }
      const started = isFull
        ? { problem: "too_many" as const }
        : await startSignIn(payments, seller, {
            typed: input.phone_or_email,
            page: input.page,
            reader,
            network,
          });
      await arrived;
      if ("id" in started) return back(request, reply, { seller, query: { code: started.id } });
      const shown = { ...(await shownFor(request, seller)), outcome: started.problem };
      const frame = askPage(shown, await waysOf(payments, seller), input.phone_or_email);
      return sendPage(reply.code(400), frame, reader);
    },
  );

  app.post(
    "/my/:key/enter",
    withRouteDoc({
      summary: "Open a buyer's page with a code",
      status: 303,
      success: "To the page, or back to the form",
      form: {
        schema: Enter,
        example: { id: "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5", code: "424242" },
      },
    }),
    async (request: BuyerRequest, reply) => {
      const seller = await sellerOf(request);
      const network = networkOf(request.ip);
      const input = Enter.safeParse(request.body);
      if (!input.success)
        return back(request, reply, { seller, query: { outcome: "expired" } });
      if (tries.waitOf(network) > 0)
        return back(request, reply, { seller, query: { outcome: "too_many" } });
      const outcome = await enterCode(payments, seller, input.data);
      const { id } = input.data;
      if (outcome === "entered") {
        reply.header("set-cookie", sessionCookie(payments, seller, id));
        return back(request, reply, { seller });
      }
      tries.count(network);
      const query = { outcome, ...(outcome === "wrong_code" && { code: id }) };
      return back(request, reply, { seller, query });
    },
  );

  /** Does something for the buyer of a session; without one, the page asks for a code. */
  const withSession =
    (
      act: (
        session: SignIn,
        request: BuyerRequest,
        reply: FastifyReply,
        seller: Seller,
      ) => Promise<Record<string, string>>,
    ) =>
    async (request: BuyerRequest, reply: FastifyReply) => {
      const seller = await sellerOf(request);
      const session = await findSession(payments, seller, request.headers.cookie);
      const query = session ? await act(session, request, reply, seller) : {};
      return back(request, reply, { seller, query });
    };

  app.post(
    "/my/:key/leave",
    withRouteDoc({
      summary: "End the session of a buyer's page",
      status: 303,
      success: "To the form for a code",
      form: { schema: z.object({}), example: {} },
    }),
    withSession(async (session, _request, reply, seller) => {
      await endSession(payments, session);
      reply.header("set-cookie", endedCookie(payments, seller));
      return { outcome: "ended" };
    }),
  );

  app.post(
    "/my/:key/language",
    withRouteDoc({
      summary: "Choose the language of messages",
      status: 303,
      success: "Back to the page",
      form: { schema: Language, example: { language: "ne" } },
    }),
    withSession(async (session, { body }) => {
      const input = Language.safeParse(body);
      if (!input.success) return {};
      await chooseLanguage(pool, session, input.data.language);
      return { outcome: "chosen" };
    }),
  );

  app.post(
    "/my/:key/reminders",
    withRouteDoc({
      summary: "Stop or resume reminders on a buyer's page",
      status: 303,
      success: "Back to the page, which says whether reminders are sent",
      form: { schema: Reminders, example: { choice: "stop" } },
    }),
    withSession(async (session, { body }) => {
      const input = Reminders.safeParse(body);
      if (!input.success) return {};
      await setOptOutOf(pool, session, input.data.choice === "stop" ? now() : null);
      return { outcome: "chosen" };
    }),
  );

  app.post(
    "/my/:key/ask",
    withRouteDoc({
      summary: "Ask for a pause or an end on a buyer's page",
      description: "The seller answers the request; nothing changes until then.",
      status: 303,
      success: "Back to the page",
      form: {
        schema: AskFor,
        example: { subscription: "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1", kind: "stop" },
      },
    }),
    withSession(async (session, { body }, _reply, seller) => {
      const input = AskFor.safeParse(body);
      if (!input.success) return { outcome: "not_possible" };
      const asked = await askFor(payments, seller, session, input.data);
      if (asked === null) throw notFoundError();
      return asked === "asked" ? {} : { outcome: asked };
    }),
  );

  app.post(
    "/my/:key/withdraw",
    withRouteDoc({
      summary: "Withdraw a request on a buyer's page",
      status: 303,
      success: "Back to the page",
      form: { schema: Withdraw, example: { id: "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5" } },
    }),
    withSession(async (session, { body }, _reply, seller) => {
      const { id } = Withdraw.catch({ id: "" }).parse(body ?? {});
      if (!isUuid(id) || !(await withdrawRequest(payments, seller, session, id)))
        throw notFoundError();
      return {};
    }),
  );
}
