import { readFileSync } from "node:fs";
import { join } from "node:path";
import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { ServiceContext } from "../app.ts";
import { ApiError, notFound } from "../http/errors.ts";
import { isUuid } from "../subscriptions/get.ts";
import { findOpenAttempt, finishAttempt, startAttempt, type PayOutcome } from "./attempt.ts";
import { isPayable, openCheckout } from "./open.ts";
import {
  codePage,
  messagePage,
  page,
  settledPage,
  startPage,
  unavailablePage,
} from "./pages.ts";

const STYLE = readFileSync(join(import.meta.dirname, "checkout.css"), "utf8");

const Start = z.object({ method: z.enum(["wallet", "bank"]) });
const Pay = z.object({
  attempt: z.string().refine(isUuid),
  code: z.string().trim().max(12),
  total: z.string().max(20),
  outcome: z.enum(["approve", "decline"]).default("approve"),
});

const MESSAGES: Record<string, string> = {
  declined:
    "The payment was declined and nothing was charged. You can try again or choose another way.",
  expired: "That code is no longer valid. Ask for a new one.",
  too_many: "Too many codes were asked for. Wait an hour, then try again.",
  duplicate: "This buyer already has this subscription. Nothing was charged.",
  wrong_code: "That is not the code. Look again and type its six digits.",
  price_changed:
    "The price has changed since this page was opened. Nothing was charged; please look again.",
};

type Page = FastifyRequest<{
  Params: { id: string };
  Querystring: { attempt?: string; outcome?: string };
}>;

export async function checkoutRoutes(app: FastifyInstance, context: ServiceContext) {
  await app.register(formbody, { bodyLimit: 8 * 1024 });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    if (request.method === "POST" && isForeign(request)) throw new ApiError(403, {});
  });
  app.setErrorHandler((error, request, reply) => sendFault(error, request, reply));

  app.get("/pay-assets/checkout.css", (_request, reply) =>
    reply.type("text/css").header("cache-control", "public, max-age=300").send(STYLE),
  );

  app.get("/pay/:id", async (request: Page, reply) => {
    const { id } = request.params;
    const { outcome = "", attempt: attemptId = "" } = request.query;
    const checkout = await openCheckout(context.pool, id, context.now());
    reply.type("text/html; charset=utf-8");
    if (!isPayable(checkout.subscription))
      return page(settledPage(checkout, { justPaid: outcome === "paid" }));
    if (context.mode === "live") return page(unavailablePage(checkout));
    const attempt = isUuid(attemptId) ? await findOpenAttempt(context, id, attemptId) : null;
    if (attempt) return page(codePage(checkout, attempt, MESSAGES[outcome] ?? null));
    const stale = attemptId === "" ? null : (MESSAGES["expired"] ?? null);
    return page(startPage(checkout, MESSAGES[outcome] ?? stale));
  });

  app.post("/pay/:id/code", async (request: Page, reply) => {
    const id = requireUuid(request.params.id);
    const input = Start.safeParse(request.body);
    if (!input.success || context.mode === "live") return reply.redirect(`/pay/${id}`, 303);
    const started = await startAttempt(context, id, input.data.method);
    const query =
      "problem" in started ? `outcome=${started.problem}` : `attempt=${started.attemptId}`;
    return reply.redirect(`/pay/${id}?${query}`, 303);
  });

  app.post("/pay/:id/pay", async (request: Page, reply) => {
    const id = requireUuid(request.params.id);
    const input = Pay.safeParse(request.body);
    if (!input.success || context.mode === "live")
      return reply.redirect(`/pay/${id}?outcome=expired`, 303);
    const { attempt, code, total, outcome } = input.data;
    const result = await finishAttempt(context, id, {
      attemptId: attempt,
      code,
      shownTotal: total,
      approve: outcome === "approve",
    });
    return reply.redirect(`/pay/${id}?${afterPaying(result, attempt)}`, 303);
  });
}

/** Before anything is sent back to it: an address can hold what no header may. */
function requireUuid(id: string): string {
  if (!isUuid(id)) throw notFound();
  return id;
}

function afterPaying(result: PayOutcome, attemptId: string): string {
  const staysOpen = result === "wrong_code" || result === "price_changed";
  return `outcome=${result}${staysOpen ? `&attempt=${attemptId}` : ""}`;
}

// The way back is a link and a refresh, not a redirect of the form, so form-action stays closed:
// a redirect to another origin would be blocked by it without a word.
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

function isForeign({ headers }: FastifyRequest): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin";
  const { origin } = headers;
  return origin !== undefined && URL.parse(origin)?.host !== headers.host;
}

function sendFault(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const status =
    error instanceof ApiError
      ? error.status
      : error instanceof Error && "statusCode" in error
        ? Number(error.statusCode)
        : 500;
  if (status >= 500)
    request.log.error({ fault: { code: Object(error).code } }, "checkout failed");
  const frame =
    status === 404
      ? messagePage(
          "No such link",
          "This payment link does not exist. Check it with the seller.",
        )
      : status < 500
        ? messagePage(
            "Not accepted",
            "Open the payment link again and use the form on its page.",
          )
        : messagePage("Not available just now", "Nothing was charged. Try again in a minute.");
  return reply.code(status).type("text/html; charset=utf-8").send(page(frame));
}
