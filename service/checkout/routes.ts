import { readFileSync } from "node:fs";
import { join } from "node:path";
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import type { ServiceContext } from "../context.ts";
import { logFault, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { againRoutes } from "./again/routes.ts";
import { startAttempt, submitAttempt } from "./attempt.ts";
import { colorSheet } from "./branding.ts";
import { guardPages, policyOf, sendPage } from "./page.ts";
import { detailRoutes } from "./details/routes.ts";
import { handOverPage } from "./hand-over.ts";
import { onwardOf } from "./pay-pages.ts";
import { isProven, payerCookie } from "./payer.ts";
import { paymentContext, type PaymentContext } from "./provider.ts";
import { LANGUAGE_QUERY, PageId, readerOf, TypedCode, type PageReader } from "./reader.ts";
import { sandboxProviderRoutes } from "./sandbox-routes.ts";
import { checkoutPageFor } from "./show.ts";
import { selectAttempt, type Attempt } from "./store.ts";

const STYLE = readFileSync(join(import.meta.dirname, "checkout.css"), "utf8");

const Start = z.object({
  method: z.string().max(40),
  early: z.literal("1").optional(),
  page: PageId,
  total: z.string().max(20).optional(),
});
const Pay = z.object({
  attempt: z.guid(),
  code: TypedCode,
  total: z.string().max(20),
});

type Page = FastifyRequest<{
  Params: { id: string };
  Querystring: { attempt?: unknown; outcome?: unknown; early?: unknown; choose?: unknown };
}>;

export async function checkoutRoutes(app: FastifyInstance, context: ServiceContext) {
  const payments = paymentContext(context);
  await app.register(formbody, { bodyLimit: 8 * 1024 });
  const { publicUrl } = context;
  guardPages(app, { formTargets: "'self'", publicUrl });
  app.get(
    "/pay-assets/checkout.css",
    withRouteDoc({
      summary: "Get the checkout's stylesheet",
      success: "The stylesheet",
      answer: "text/css",
    }),
    (_request, reply) =>
      reply.type("text/css").header("cache-control", "public, max-age=300").send(STYLE),
  );
  app.get<{ Params: { color: string } }>(
    "/pay-assets/color/:color",
    withRouteDoc({
      summary: "Get the stylesheet of a color",
      description: "Text on the color is readable, in the light and in the dark scheme.",
      success: "The stylesheet",
      answer: "text/css",
    }),
    (request, reply) => {
      const sheet = colorSheet(request.params.color);
      if (sheet === null) throw notFoundError();
      return reply.type("text/css").header("cache-control", "public, max-age=300").send(sheet);
    },
  );
  app.get(
    "/pay/:id",
    withRouteDoc({
      summary: "Show the payment page",
      success: "The page",
      answer: "text/html",
      query: LANGUAGE_QUERY,
    }),
    async (request: Page, reply) => {
      const { id } = request.params;
      const reader = readerOf(request);
      const { attempt, outcome, early, choose } = request.query;
      const address = {
        id,
        attemptId: typeof attempt === "string" && isUuid(attempt) ? attempt : null,
        outcome: String(outcome),
        early: early === "1",
        chooses: choose === "1",
        cookies: request.headers.cookie,
        reader,
      };
      return sendPage(
        reply,
        await checkoutPageFor(payments, address, complain(request)),
        reader,
      );
    },
  );
  app.post(
    "/pay/:id/code",
    withRouteDoc({
      summary: "Request a one-time code",
      description:
        "Where the provider has buyers sign in and the seller asks for no code, the payment of `total` begins at once.",
      status: 303,
      success: "Back to the page, or on to the provider",
      form: { schema: Start, example: { method: "wallet" } },
    }),
    async (request: Page, reply) => {
      const id = requireUuid(request.params.id);
      const reader = readerOf(request);
      const { address, cookie } = await start(payments, id, request, reader);
      if (cookie) reply.header("set-cookie", cookie);
      return reply.redirect(reader.own(address), 303);
    },
  );
  app.post(
    "/pay/:id/pay",
    withRouteDoc({
      summary: "Pay with the code",
      status: 303,
      success: "On to the wallet or bank, or back to the page",
      form: {
        schema: Pay,
        example: {
          attempt: "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5",
          code: "424242",
          total: "1130.00",
        },
      },
    }),
    async (request: Page, reply) => {
      const id = requireUuid(request.params.id);
      const { address, cookie } = await submit(payments, id, request);
      if (cookie) reply.header("set-cookie", cookie);
      return reply.redirect(readerOf(request).own(address), 303);
    },
  );
  app.get(
    "/pay/:id/go",
    withRouteDoc({
      summary: "Lead the buyer to the payment's provider",
      description:
        "Automatically, by a form with one button, by a QR code or by the buyer's phone. The page's policy allows its form to post to the provider only.",
      success: "The page",
      answer: "text/html",
      redirect: "The payment is over, or has no provider: back to the checkout",
      query: {
        schemas: { attempt: z.guid(), ...LANGUAGE_QUERY.schemas },
        meanings: { attempt: "The attempt to pay", ...LANGUAGE_QUERY.meanings },
      },
    }),
    async (request: Page, reply) => {
      const id = requireUuid(request.params.id);
      const reader = readerOf(request);
      const attemptId = requireUuid(String(request.query.attempt));
      const shown = await handOverPage(payments, { id, attemptId }, reader, complain(request));
      if (typeof shown === "string") return reply.redirect(reader.own(shown), 303);
      reply.header("content-security-policy", policyOf(shown.formTargets.join(" ")));
      const query = { attempt: attemptId };
      return sendPage(reply, { ...shown.frame, query }, reader);
    },
  );
  detailRoutes(app, payments);
  againRoutes(app, payments);
  if (context.mode === "test") sandboxProviderRoutes(app, payments);
}

/** The page for a buyer's link with a trailing slash; null for other URLs. */
export function checkoutPageOf({ method, url }: FastifyRequest): string | null {
  const [, page, query = ""] =
    /^(\/(?:(?:sandbox-)?pay|my|buy)\/[^/?]+)\/+(\?.*)?$/.exec(url) ?? [];
  return page !== undefined && (method === "GET" || method === "HEAD") ? page + query : null;
}

const complain = (request: FastifyRequest) => (error: unknown) =>
  logFault(request, error, "the provider was not reached");

/**
 * Requires a UUID before a redirect, because an id could contain characters that are not allowed in
 * a header.
 */
function requireUuid(id: string): string {
  if (!isUuid(id)) throw notFoundError();
  return id;
}

/** @returns where the buyer goes next, and what their browser keeps */
async function start(
  payments: PaymentContext,
  id: string,
  request: FastifyRequest,
  reader: PageReader,
): Promise<Step> {
  const input = Start.safeParse(request.body);
  if (!input.success) return { address: `/pay/${id}`, cookie: null };
  const { method, early, page, total: shownTotal } = input.data;
  const proven = isProven(payments, id, request.headers.cookie);
  const wish = { method, early: early === "1", isProven: proven, page, shownTotal, reader };
  const started = await startAttempt(payments, id, wish, complain(request));
  if (!("problem" in started)) {
    const { attemptId } = started;
    const attempt = await selectAttempt(payments.pool, id, attemptId);
    return {
      address: nextOf(attempt, { id, attemptId }),
      cookie: proven ? payerCookie(payments, attemptId) : null,
    };
  }
  const query = new URLSearchParams({ outcome: started.problem });
  if (early) query.set("early", early);
  if ("attemptId" in started && started.attemptId !== null)
    query.set("attempt", started.attemptId);
  return { address: `/pay/${id}?${query.toString()}`, cookie: null };
}

interface Step {
  address: string;
  cookie: string | null;
}

/** The provider's page for an attempt that waits there, else our own. */
const nextOf = (
  attempt: Attempt | null,
  { id, attemptId }: { id: string; attemptId: string },
) =>
  attempt?.state === "pending" && attempt.provider_reference !== null
    ? onwardOf(attempt)
    : `/pay/${id}?attempt=${attemptId}`;

/**
 * @returns where the buyer goes next, the provider's page or back to ours, and what their browser
 * keeps
 */
async function submit(
  payments: PaymentContext,
  id: string,
  request: FastifyRequest,
): Promise<Step> {
  const input = Pay.safeParse(request.body);
  if (!input.success) return { address: `/pay/${id}?outcome=expired`, cookie: null };
  const { attempt: attemptId, code, total } = input.data;
  const submission = { attemptId, code, shownTotal: total };
  const { outcome, attempt, isByCode } = await submitAttempt(
    payments,
    id,
    submission,
    complain(request),
  );
  const cookie = isByCode ? payerCookie(payments, attemptId) : null;
  if (outcome === "submitted") return { address: nextOf(attempt, { id, attemptId }), cookie };
  const staysOpen = outcome === "wrong_code" || outcome === "price_changed";
  const query = `outcome=${outcome}${staysOpen ? `&attempt=${attemptId}` : ""}`;
  return { address: `/pay/${id}?${query}`, cookie };
}
