import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import { PAYMENT_OUTCOMES } from "#contract/names.ts";
import { notFoundError } from "../http/errors.ts";
import { html } from "../http/html.ts";
import { isUuid } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { followUpAttempt } from "./follow-up.ts";
import { sendPage, type PageFrame } from "./page.ts";
import type { PaymentContext } from "./provider.ts";
import { readerOf, type PageReader } from "./reader.ts";
import { chooseOutcome, findSandboxCharge, type SandboxCharge } from "./sandbox-provider.ts";
import { selectChargeByReference } from "./charges/store.ts";

const Choose = z.object({ outcome: z.enum(PAYMENT_OUTCOMES) });
const Notice = z.object({ reference: z.guid() });

const NOTICES = "/pay-notices/sandbox";
// The first inquiry is answered "pending" and the next with the result: these delays let the
// buyer's page ask first, also on a slow machine.
const NOTICE_TIMES = [1_000, 2_000, 3_000];

type Page = FastifyRequest<{ Params: { reference: string } }>;

/** The sandbox provider's page, and the endpoint where it announces results. */
export function sandboxProviderRoutes(app: FastifyInstance, payments: PaymentContext) {
  const timers = new Set<NodeJS.Timeout>();
  app.addHook("onClose", async () => timers.forEach(clearTimeout));

  const notifyLater = (reference: string) => {
    // Tests that inject requests send the notices themselves.
    if (!app.server.listening) return;
    for (const milliseconds of NOTICE_TIMES) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        // A lost notice, as while the service closes, is harmless: the page and the sweep ask
        // too.
        app
          .inject({
            method: "POST",
            url: NOTICES,
            headers: { "content-type": "application/x-www-form-urlencoded" },
            payload: `reference=${reference}`,
          })
          .catch(() => {});
      }, milliseconds);
      timers.add(timer.unref());
    }
  };

  app.get(
    "/sandbox-pay/:reference",
    withRouteDoc({
      summary: "Show the sandbox wallet's or bank's page",
      success: "The page",
      answer: "text/html",
      redirect: "A result was already chosen: back to the checkout",
    }),
    async (request: Page, reply) => {
      const charge = await requireCharge(payments, request);
      const reader = readerOf(request);
      return charge.is_open
        ? sendPage(reply, sandboxPage(charge, reader), reader)
        : reply.redirect(reader.own(pageOf(charge)), 303);
    },
  );
  app.post(
    "/sandbox-pay/:reference",
    withRouteDoc({
      summary: "Choose the result of a sandbox payment",
      status: 303,
      success: "Back to the checkout",
      form: { schema: Choose, example: { outcome: "approve" } },
    }),
    async (request: Page, reply) => {
      const charge = await requireCharge(payments, request);
      const input = Choose.safeParse(request.body);
      if (!input.success) return reply.redirect(request.url, 303);
      const { reference } = charge;
      const chosen = { reference, choice: input.data.outcome };
      if (await chooseOutcome(payments.pool, chosen, payments.now())) notifyLater(reference);
      return reply.redirect(readerOf(request).own(pageOf(charge)), 303);
    },
  );
  app.post(
    NOTICES,
    withRouteDoc({
      summary: "Notify the checkout of a sandbox payment",
      status: 204,
      success: "The provider was asked",
      form: { schema: Notice, example: { reference: "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5" } },
    }),
    async (request, reply) => {
      const input = Notice.safeParse(request.body);
      // The notice is not trusted: it only says which payment to ask the provider about.
      const charge =
        input.success &&
        (await selectChargeByReference(payments.pool, null, input.data.reference));
      if (!charge) throw notFoundError();
      await followUpAttempt(payments, charge);
      return reply.code(204).send();
    },
  );
}

async function requireCharge(
  { pool, now }: PaymentContext,
  { params }: Page,
): Promise<SandboxCharge> {
  const { reference } = params;
  const charge = isUuid(reference) ? await findSandboxCharge(pool, reference, now()) : null;
  if (!charge) throw notFoundError();
  return charge;
}

const pageOf = ({ subscription_id, attempt_id }: SandboxCharge) =>
  `/pay/${subscription_id}?attempt=${attempt_id}`;

/** Takes the place of a wallet's or bank's page; the buyer chooses the result. */
function sandboxPage(
  { reference, method, amount, currency, seller_name }: SandboxCharge,
  { texts, money, own }: PageReader,
): PageFrame {
  const { sandbox } = texts;
  const action = own(`/sandbox-pay/${reference}`);
  const [approve, ...others] = Object.entries(sandbox.outcome);
  const button = ([value, name]: [string, string] = ["", ""]) =>
    html`<button name="outcome" value="${value}">${name}</button>`;
  return {
    title: sandbox.title(texts[method]),
    body: html`<header class="provider">
        <p class="seller">${sandbox.seller}</p>
        <h1>${sandbox.title(texts[method])}</h1>
      </header>
      <p class="sandbox">${sandbox.text(texts[method])}</p>
      <dl class="lines">
        <div>
          <dt>${sandbox.to}</dt>
          <dd class="name">${seller_name}</dd>
        </div>
        <div class="total">
          <dt>${sandbox.amount}</dt>
          <dd>${money(currency, amount)}</dd>
        </div>
      </dl>
      <form method="post" action="${action}">${button(approve)}</form>
      <form class="quiet" method="post" action="${action}">
        ${others.map((other) => button(other))}
      </form>`,
  };
}
