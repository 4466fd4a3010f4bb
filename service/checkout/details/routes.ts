import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import { CorrectionList } from "#contract/customers.ts";
import { CORRECTED_FIELDS } from "#contract/names.ts";
import type { ServiceContext } from "../../context.ts";
import { sellerOf } from "../../http/authenticate.ts";
import { notFoundError } from "../../http/errors.ts";
import { isUuid } from "../../http/ids.ts";
import { withRouteDoc } from "../../http/route-doc.ts";
import { selectSubscription } from "../../subscriptions/store.ts";
import { isCodeOpen, testCodeOf, WRONG_CODES_ALLOWED } from "../codes.ts";
import { isCorrectable, openCheckout, type ShownCheckout } from "../open.ts";
import { sendPage, type PageFrame } from "../page.ts";
import type { PaymentContext } from "../provider.ts";
import {
  LANGUAGE_QUERY,
  PageId,
  readerOf,
  textByName,
  TypedCode,
  type PageReader,
} from "../reader.ts";
import {
  startCorrection,
  submitCorrection,
  type CorrectOutcome,
  type TypedDetails,
} from "./correct.ts";
import { correctedPage, detailsForm, offerPage } from "./pages.ts";
import {
  selectCorrection,
  selectDoneCorrections,
  selectOrderedAt,
  wasSentByMail,
} from "./store.ts";

/** The seller's list of the corrections. */
export function correctionRoutes(api: FastifyInstance, { pool }: ServiceContext) {
  api.get<{ Params: { id: string } }>(
    "/subscriptions/:id/corrections/",
    withRouteDoc({
      summary: "List a buyer's corrections",
      description:
        "The details that the subscription's buyer corrected at the checkout, confirmed by a one-time code, newest first, at most 100; and when the buyer ordered it, if the seller did not create it.",
      answer: CorrectionList,
    }),
    async (request): Promise<CorrectionList> => {
      const { seller_id } = sellerOf(request);
      const { id } = request.params;
      if (!isUuid(id) || !(await selectSubscription(pool, seller_id, id)))
        throw notFoundError();
      const subscription = { seller_id, subscription_id: id };
      const rows = await selectDoneCorrections(pool, subscription);
      const orderedAt = await selectOrderedAt(pool, subscription);
      return {
        ordered_at: orderedAt?.toISOString() ?? null,
        results: rows.map(({ corrected_at, ...row }) => ({
          ...row,
          corrected_at: corrected_at.toISOString(),
        })),
      };
    },
  );
}

/** Bytes of a form whose fields are as long as they may be, in any script. */
const BODY_LIMIT = 24 * 1024;

const typed = z.string().max(2_000).trim().default("");
const Typed = z.object({ full_name: typed, email: typed, address: typed });
const AskCode = Typed.extend({ page: PageId });
const Correct = Typed.extend({
  id: z.guid(),
  code: TypedCode,
});
const NOTHING: TypedDetails = { full_name: "", email: "", address: "" };

type DetailsPage = FastifyRequest<{
  Params: { id: string };
  Querystring: { code?: unknown; outcome?: unknown; done?: unknown };
}>;

/** The page on which a buyer corrects their details, with a code of its own. */
export function detailRoutes(app: FastifyInstance, payments: PaymentContext) {
  const { pool, now, mode } = payments;

  const shownFor = async ({ params }: DetailsPage, reader: PageReader) => ({
    checkout: await openCheckout(pool, params.id, now()),
    mode,
    reader,
  });

  const offer = (checkout: ShownCheckout, reader: PageReader, message: string | null) =>
    offerPage({ checkout, mode, reader }, { message, isCorrectable: isCorrectable(checkout) });

  /** The form of a request for a code; the page that offers a code if there is no such request. */
  const formFor = async (
    request: DetailsPage,
    reader: PageReader,
    id: string,
    state: {
      typed?: TypedDetails;
      typedCode?: string;
      message?: string | null;
      outcome?: CorrectOutcome;
    } = {},
  ): Promise<PageFrame> => {
    const shown = await shownFor(request, reader);
    const { checkout } = shown;
    const correction = isUuid(id) ? await selectCorrection(pool, request.params.id, id) : null;
    const { outcome } = state;
    if (!correction || !isCorrectable(checkout))
      return offer(checkout, reader, state.message ?? reader.texts.outcome.expired);
    return detailsForm(shown, {
      id,
      typed: state.typed ?? NOTHING,
      problems: outcome?.outcome === "problems" ? outcome.problems : {},
      typedCode: outcome?.outcome === "wrong_code" ? "" : (state.typedCode ?? ""),
      isWrongCode: outcome?.outcome === "wrong_code",
      left: WRONG_CODES_ALLOWED - correction.wrong_codes,
      message:
        state.message ?? (isCodeOpen(correction, now()) ? null : reader.texts.outcome.expired),
      isByMail: await wasSentByMail(pool, checkout.subscription, correction),
      code: mode === "test" ? testCodeOf(id) : null,
    });
  };

  app.get(
    "/pay/:id/details",
    withRouteDoc({
      summary: "Show how to correct the buyer's details",
      success: "The page",
      answer: "text/html",
      query: LANGUAGE_QUERY,
    }),
    async (request: DetailsPage, reply) => {
      const reader = readerOf(request);
      const { code, outcome, done } = request.query;
      if (typeof code === "string")
        return sendPage(reply, await formFor(request, reader, code), reader);
      const shown = await shownFor(request, reader);
      const said = messageOf(String(outcome), reader);
      const frame = done === "1" ? correctedPage(shown) : offer(shown.checkout, reader, said);
      return sendPage(reply, frame, reader);
    },
  );

  app.post("/pay/:id/details/code", {
    bodyLimit: BODY_LIMIT,
    ...withRouteDoc({
      summary: "Request a code to correct the buyer's details",
      description:
        "The code counts towards the limit of codes for payments. If details were typed already, the answer is the form with them.",
      success: "The form with what was typed",
      answer: "text/html",
      redirect: "To the form",
      form: { schema: AskCode, example: { page: "0c4e7c8d-3d0d-4f0f-9a9c-2f1f6c0d5b11" } },
    }),
    handler: async (request: DetailsPage, reply) => {
      const id = requireId(request);
      const reader = readerOf(request);
      const { page, ...given } = AskCode.catch({ ...NOTHING, page: undefined }).parse(
        request.body ?? {},
      );
      const started = await startCorrection(payments, id, { page, reader });
      const address = `/pay/${id}/details`;
      if (!hasText(given))
        return reply.redirect(
          reader.own(
            "id" in started
              ? `${address}?code=${started.id}`
              : `${address}?outcome=${started.problem}`,
          ),
          303,
        );
      const before = idOfForm(request.body);
      const frame = await formFor(request, reader, "id" in started ? started.id : before, {
        typed: given,
        message: "id" in started ? null : messageOf(started.problem, reader),
      });
      return sendPage(reply, frame, reader);
    },
  });

  app.post("/pay/:id/details", {
    bodyLimit: BODY_LIMIT,
    ...withRouteDoc({
      summary: "Correct the buyer's details with a code",
      description:
        "Empty fields stay as they are. The correction changes the subscription and the customer. If it is not accepted, the answer is the form with what was typed.",
      status: 303,
      success: "To the page that confirms the correction",
      form: {
        schema: Correct,
        example: {
          id: "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5",
          code: "424242",
          full_name: "Asmita Rai",
        },
      },
    }),
    handler: async (request: DetailsPage, reply) => {
      const subscriptionId = requireId(request);
      const reader = readerOf(request);
      const address = `/pay/${subscriptionId}/details`;
      const parsed = Correct.safeParse(request.body);
      if (!parsed.success) return reply.redirect(reader.own(`${address}?outcome=expired`), 303);
      const { id, code, ...given } = parsed.data;
      const outcome = await submitCorrection(payments, subscriptionId, {
        id,
        code,
        typed: given,
      });
      if (outcome.outcome === "corrected")
        return reply.redirect(reader.own(`${address}?done=1`), 303);
      const message = outcome.outcome === "nothing" ? reader.texts.correct.nothing : null;
      const frame = await formFor(request, reader, id, {
        typed: given,
        typedCode: code,
        message,
        outcome,
      });
      return sendPage(reply.code(400), frame, reader);
    },
  });
}

const hasText = (given: TypedDetails) => CORRECTED_FIELDS.some((field) => given[field] !== "");

/** The id of the request whose form asks for another code. */
const idOfForm = (body: unknown): string =>
  z.object({ id: z.guid() }).safeParse(body).data?.id ?? "";

function messageOf(
  problem: string,
  { texts: { correct, outcome } }: PageReader,
): string | null {
  const { too_soon, no_channel, settled } = correct;
  const { expired, too_many } = outcome;
  return textByName({ too_soon, no_channel, settled, expired, too_many }, problem);
}

function requireId({ params: { id } }: DetailsPage): string {
  if (!isUuid(id)) throw notFoundError();
  return id;
}
