import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { Clock, ClockMove, MoveClock, SetClock, TimeSpan } from "#contract/sandbox.ts";
import { ABANDONED_AFTER } from "../../checkout/abandon.ts";
import { paymentContext, type PaymentContext } from "../../checkout/provider.ts";
import type { ServiceContext } from "../../context.ts";
import { sellerOf } from "../../http/authenticate.ts";
import { ApiError, detailError, validationError } from "../../http/errors.ts";
import { withRouteDoc } from "../../http/route-doc.ts";
import { planAfterMove } from "../../reminders/planner.ts";
import { findSeller, sellerNow, type Seller } from "../../sellers/store.ts";
import { saveStateBeforeAdvance } from "../states/states.ts";
import { advanceClock, readClock, recordProviderAnswers } from "./advance.ts";
import { forecast } from "./forecast.ts";
import { describeSpan, StepPage, STEPS_SHOWN } from "./steps.ts";
import { findNextChangeAt, resetClock } from "./store.ts";

const REPLACED = "The account's data were replaced in the meantime";
const INVALID_TARGET = { text: "The target time is not valid", schema: "Problem" } as const;

export function clockRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now: clock, abandonedAfter: after = ABANDONED_AFTER } = context;
  const advance = async (seller: Seller, { now, realNow, target }: Move) => {
    const payments = openAt(realNow);
    await recordProviderAnswers(payments, seller);
    const undo = await saveStateBeforeAdvance(pool, { ...seller, realNow });
    const steps = await advanceClock(payments, seller, { target, after });
    await planAfterMove({ pool, now: clock }, seller.seller_id);
    return {
      ...(await describeSpan(pool, seller.seller_id, { from: now, to: target, steps })),
      undo,
    };
  };
  const openAt = (moment: Date): PaymentContext => {
    return paymentContext({ ...context, now: () => moment });
  };

  api.get(
    "/clock/",
    withRouteDoc({
      summary: "Get the account's clock",
      description: "The account's current time, and when a change is next due.",
      answer: Clock,
    }),
    (request) => readClock(pool, sellerOf(request), { realNow: clock(), after }),
  );

  api.get(
    "/forecast/",
    withRouteDoc({
      summary: "Forecast an advance",
      description:
        "Every status change, every payment that times out and every abandoned checkout, with their events, up to a time or within a period, exactly as an advance would make them. The clock does not move.",
      query: {
        schemas: {
          ...MoveClock.shape,
          page: z.int().min(1),
          page_size: z.int().min(1).max(STEPS_SHOWN).default(STEPS_SHOWN),
        },
        meanings: {
          to: "The time up to which to forecast; send either `to` or `by`",
          by: "A period such as P1M; send either `to` or `by`",
          page: "Page of the steps",
          page_size: "Steps per page",
        },
      },
      answer: TimeSpan,
      refusals: { 400: INVALID_TARGET },
    }),
    async (request) => {
      const seller = sellerOf(request);
      const { now, realNow, target } = readTarget(request.query, seller, clock());
      await recordProviderAnswers(openAt(realNow), seller);
      const steps = await forecast(pool, seller, { until: target, after });
      const span = { from: now, to: target, steps };
      return describeSpan(pool, seller.seller_id, span, StepPage.parse(request.query));
    },
  );

  api.post(
    "/clock/advance/",
    withRouteDoc({
      summary: "Advance the clock",
      description:
        "To a time, or by a period such as P1M, at most five years ahead of real time. Whatever falls due on the way happens, in order: status changes, payments that time out, abandoned checkouts.",
      body: MoveClock,
      answer: ClockMove,
      refusals: { 400: INVALID_TARGET, 409: REPLACED },
    }),
    async (request) => {
      const seller = sellerOf(request);
      return advance(seller, readTarget(request.body, seller, clock()));
    },
  );

  api.post(
    "/clock/next/",
    withRouteDoc({
      summary: "Advance to the next change",
      description:
        "Advances to the next time at which a subscription changes, a payment times out or a checkout counts as abandoned.",
      answer: ClockMove,
      refusals: { 400: { text: "No change is scheduled", schema: "Problem" }, 409: REPLACED },
    }),
    async (request) => {
      const seller = sellerOf(request);
      const next = await findNextChangeAt(pool, seller.seller_id, { after });
      if (!next) throw detailError(400, "No upcoming time-based changes.");
      const moments = timesOf(seller, clock());
      const isLate = next <= moments.now;
      const to = next.toISOString();
      const target = isLate ? moments.now : targetOf({ to }, seller, moments);
      return advance(seller, { ...moments, target });
    },
  );

  api.post(
    "/clock/reset/",
    withRouteDoc({
      summary: "Reset the clock to real time",
      description: "Subscriptions keep the status that the advanced clock gave them.",
      answer: SetClock,
      refusals: { 400: "The body is not readable" },
    }),
    async (request) => {
      const { seller_id } = sellerOf(request);
      const realNow = clock();
      const undo = await saveStateBeforeAdvance(pool, { seller_id, realNow });
      await resetClock(pool, seller_id);
      const seller = await findSeller(pool, seller_id);
      const set = await readClock(pool, seller ?? sellerOf(request), { realNow, after });
      return { ...set, undo };
    },
  );
}

const DAY = 24 * 60 * 60 * 1_000;
/** How far a clock may be ahead of real time, in milliseconds. */
const MAX_CLOCK_LEAD = 5 * 366 * DAY;

type Move = ReturnType<typeof readTarget>;

const timesOf = (seller: Seller, realNow: Date) => ({
  realNow,
  now: sellerNow(seller, realNow),
});

/**
 * Reads the target of a move.
 * @throws 400 for a missing or invalid target, and as `targetOf` does
 */
function readTarget(given: unknown, seller: Seller, realNow: Date) {
  const input = MoveClock.safeParse(given);
  if (!input.success) throw validationError(input.error);
  const moments = timesOf(seller, realNow);
  return { ...moments, target: targetOf(input.data, seller, moments) };
}

/**
 * The time of the target.
 * @throws 400 if it is not in the future, or more than five years ahead of real time
 */
function targetOf(
  { to, by }: MoveClock,
  { time_zone }: Seller,
  { now, realNow }: ReturnType<typeof timesOf>,
): Date {
  const field = to === undefined ? "by" : "to";
  const target = to === undefined ? later(now, time_zone, by ?? "") : new Date(to);
  if (target === null || !(target > now))
    throw new ApiError(400, { [field]: ["The clock only goes forward. Choose a later time."] });
  if (target.getTime() - realNow.getTime() > MAX_CLOCK_LEAD)
    throw new ApiError(400, { [field]: ["Choose a time within five years from today."] });
  return target;
}

/** The time after a period in the seller's calendar, at the same time of day; null for other text. */
function later(now: Date, timeZone: string, span: string): Date | null {
  try {
    const start = Temporal.Instant.fromEpochMilliseconds(now.getTime());
    return new Date(start.toZonedDateTimeISO(timeZone).add(span).epochMilliseconds);
  } catch {
    return null;
  }
}
