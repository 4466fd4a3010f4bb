import { createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { networkOf } from "#contract/process/network.ts";
import type { ServiceContext } from "../context.ts";
import { detailError, logFault, notFoundError } from "../http/errors.ts";
import { html } from "../http/html.ts";
import { isUuid } from "../http/ids.ts";
import { RateLimit } from "../http/rate-limit.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { selectAccountByKey } from "./account-store.ts";
import {
  hurryCharge,
  keepNotice,
  selectCharge,
  selectChargeByReference,
  selectChargeByTransaction,
  wakePayments,
  type Charge,
} from "./charges/store.ts";
import { followUpCharge, withinPageTimeout } from "./follow-up.ts";
import { policyOf, sendPage } from "./page.ts";
import {
  openAccount,
  paymentContext,
  type OpenProvider,
  type PaymentContext,
} from "./provider.ts";
import { readerOf } from "./reader.ts";

const RETURN_LIMIT = 8 * 1_024;
const NOTICE_LIMIT = 64 * 1_024;
/** Returns of buyers to one charge a minute. */
const RETURNS_PER_MINUTE = 60;
/** Requests a minute from one network that name no charge, or that are unsigned. */
const STRAYS_PER_MINUTE = 120;

type ProviderRoute = { Params: { key: string }; Body: Buffer | undefined };
type ProviderRequest = FastifyRequest<ProviderRoute>;
type ChargeRoute = { Params: { charge: string }; Body: Buffer | undefined };

/**
 * The routes to which providers send buyers back and post their notices. Neither proves a payment:
 * both only name a charge, about which the provider is then asked.
 */
export async function providerRoutes(app: FastifyInstance, context: ServiceContext) {
  const payments = paymentContext(context);
  // Signatures are over the bytes as they came.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer", bodyLimit: NOTICE_LIMIT },
    (_, body, done) => done(null, body),
  );
  returnRoutes(app, payments);
  noticeRoute(app, payments);
}

/** Counts a request. @throws 429 if there were too many of that name */
function countIn(limit: RateLimit, name: string) {
  const wait = limit.waitOf(name);
  if (wait > 0)
    throw detailError(429, `Too many requests. Try again in ${wait} s.`, {
      "retry-after": String(wait),
    });
  limit.count(name);
}

async function requireAccount(payments: PaymentContext, { params }: ProviderRequest) {
  const { key } = params;
  const account = isUuid(key) ? await selectAccountByKey(payments.pool, key) : null;
  const by = account && openAccount(payments, account);
  if (!account || !by) throw notFoundError();
  return { account, by };
}

function returnRoutes(app: FastifyInstance, payments: PaymentContext) {
  const { pool } = payments;
  const returns = new RateLimit(RETURNS_PER_MINUTE);
  const strays = new RateLimit(STRAYS_PER_MINUTE);
  /** Asks about that charge alone, and leads to the page of its payment. */
  const leadOn = async (
    request: FastifyRequest,
    reply: FastifyReply,
    charge: Charge | null | "" | undefined,
  ) => {
    reply.headers({
      "content-security-policy": policyOf("'none'"),
      "cache-control": "no-store",
    });
    if (charge) {
      const { charge_id, subscription_id, attempt_id } = charge;
      countIn(returns, charge_id);
      await withinPageTimeout(
        followUpCharge(payments, charge).catch((error: unknown) =>
          logFault(request, error, "the provider was not reached"),
        ),
      );
      return reply.redirect(`/pay/${subscription_id}?attempt=${attempt_id}`, 303);
    }
    countIn(strays, networkOf(request.ip));
    const reader = readerOf(request);
    const { whichPayment, whichPaymentText } = reader.texts;
    const body = html`<header><h1>${whichPayment}</h1></header>
      <p>${whichPaymentText}</p>`;
    return sendPage(reply, { title: whichPayment, body }, { ...reader, canSwitch: false });
  };
  const returned = async (request: ProviderRequest, reply: FastifyReply) => {
    const { account, by } = await requireAccount(payments, request);
    const reference = referenceIn(by, request);
    const charge =
      reference && (await selectChargeByReference(pool, account.account_id, reference));
    return leadOn(request, reply, charge);
  };
  const returnedTo = async (request: FastifyRequest<ChargeRoute>, reply: FastifyReply) => {
    const { charge } = request.params;
    return leadOn(request, reply, isUuid(charge) ? await selectCharge(pool, charge) : null);
  };
  const returnDoc = {
    description:
      "Providers lead buyers here. The service only finds the payment; it ignores what the address says about the result.",
    success: "The payment was not recognised: a page that leads back to the link",
    answer: "text/html",
    redirect: "On to the payment's page",
  } as const;
  const byAccount = {
    ...returnDoc,
    refusals: { 404: "There is no such account" },
  };
  app.get<ProviderRoute>(
    "/pay-return/:key",
    withRouteDoc({ ...byAccount, summary: "Come back from a payment's provider" }),
    returned,
  );
  app.post<ProviderRoute>(
    "/pay-return/:key",
    withRouteDoc({ ...byAccount, summary: "Come back from a payment's provider by a form" }),
    returned,
  );
  app.get<ChargeRoute>(
    "/pay-return/charge/:charge",
    withRouteDoc({ ...returnDoc, summary: "Come back from the provider of a charge" }),
    returnedTo,
  );
  app.post<ChargeRoute>(
    "/pay-return/charge/:charge",
    withRouteDoc({
      ...returnDoc,
      summary: "Come back from the provider of a charge by a form",
    }),
    returnedTo,
  );
}

function noticeRoute(app: FastifyInstance, payments: PaymentContext) {
  const { pool, now } = payments;
  const strays = new RateLimit(STRAYS_PER_MINUTE);
  app.post<ProviderRoute>(
    "/pay-notices/:key",
    withRouteDoc({
      summary: "Notify the service of a payment",
      description:
        "For providers that sign their notices. The service then asks the provider; the notice itself changes nothing.",
      status: 204,
      success: "Taken",
      refusals: { 404: "The notice is not signed by the account's provider" },
    }),
    async (request, reply) => {
      const stray = networkOf(request.ip);
      const { account, by } = await requireAccount(payments, request).catch(
        (error: unknown) => {
          countIn(strays, stray);
          throw error;
        },
      );
      const body = request.body ?? Buffer.alloc(0);
      const reference = by.adapter.readNotice?.(
        {
          headers: textsOf(request.headers),
          query: textsOf(request.query),
          body: body.toString(),
        },
        by.settings,
      );
      const { seller_id, account_id } = account;
      if (!reference) {
        countIn(strays, `${account_id} ${stray}`);
        throw notFoundError();
      }
      const digest = createHash("sha256").update(body).digest();
      if (await keepNotice(pool, { seller_id, account_id, digest, received_at: now() })) {
        const charge =
          (await selectChargeByReference(pool, account_id, reference)) ??
          (await selectChargeByTransaction(pool, account_id, reference));
        if (charge) await hurryCharge(pool, charge.charge_id, now());
        if (charge) await wakePayments(pool);
      }
      // The same answer for references that are not known.
      return reply.code(204).send();
    },
  );
}

/** The reference that a return names, in its address or in its form. */
function referenceIn(
  { adapter }: OpenProvider,
  { query, body }: ProviderRequest,
): string | null {
  const text = body && body.length <= RETURN_LIMIT ? body.toString() : "";
  const form = Object.fromEntries(new URLSearchParams(text));
  const reference = adapter.readReturn({ ...form, ...textsOf(query) });
  return reference !== null && reference.length <= 200 ? reference : null;
}

/** The values that are text; of a repeated name the first. */
function textsOf(values: unknown): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries((values ?? {}) as Record<string, unknown>)) {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    if (typeof first === "string") texts[name] = first;
  }
  return texts;
}
