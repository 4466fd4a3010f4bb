import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../../context.ts";
import { ABANDONED_AFTER } from "../../checkout/abandon.ts";
import { paymentContext, type PaymentContext } from "../../checkout/payment-context.ts";
import { sellerOf } from "../../http/authenticate.ts";
import { detail, notFound } from "../../http/errors.ts";
import { findSeller, type Seller } from "../../sellers/store.ts";
import { advanceClock, bookAnswers, readClock } from "./advance.ts";
import { forecast } from "./forecast.ts";
import { presentSpan, readStepPage } from "./present.ts";
import { findNextMoment } from "./moments-store.ts";
import { keepBeforeMove } from "../states/states.ts";
import { setClockRight } from "./store.ts";
import { momentsOf, readTarget, targetOf } from "./target.ts";

export function clockRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now: clock, abandonedAfter: after = ABANDONED_AFTER } = context;
  const advance = async (seller: Seller, target: Date) => {
    const { realNow, now } = momentsOf(seller, clock());
    const payments = openAt(realNow);
    await bookAnswers(payments, seller);
    const undo = await keepBeforeMove(pool, { ...seller, realNow });
    const steps = await advanceClock(payments, seller, { target, after });
    return { ...(await presentSpan(pool, seller, { from: now, to: target, steps })), undo };
  };
  /** The checkout, by one moment of the clock itself. */
  const openAt = (moment: Date): PaymentContext => {
    const payments = paymentContext({ ...context, now: () => moment });
    if (!payments) throw notFound();
    return payments;
  };

  api.get("/clock/", (request) =>
    readClock(pool, sellerOf(request), { realNow: clock(), after }),
  );

  api.get("/forecast/", async (request) => {
    const seller = sellerOf(request);
    const { now, realNow, target } = readTarget(request.query, seller, clock());
    await bookAnswers(openAt(realNow), seller);
    const steps = await forecast(pool, seller, { until: target, after });
    return presentSpan(
      pool,
      seller,
      { from: now, to: target, steps },
      readStepPage(request.query),
    );
  });

  api.post("/clock/advance/", async (request) => {
    const seller = sellerOf(request);
    return advance(seller, readTarget(request.body, seller, clock()).target);
  });

  api.post("/clock/next/", async (request) => {
    const seller = sellerOf(request);
    const next = await findNextMoment(pool, seller.seller_id, { after });
    if (!next) throw detail(400, "Nothing lies ahead that time alone would change.");
    const moments = momentsOf(seller, clock());
    const isLate = next <= moments.now;
    const to = next.toISOString();
    return advance(seller, isLate ? moments.now : targetOf({ to }, seller, moments));
  });

  api.post("/clock/reset/", async (request) => {
    const { seller_id } = sellerOf(request);
    const undo = await keepBeforeMove(pool, { seller_id, realNow: clock() });
    await setClockRight(pool, seller_id);
    const seller = await findSeller(pool, seller_id);
    const set = await readClock(pool, seller ?? sellerOf(request), { realNow: clock(), after });
    return { ...set, undo };
  });
}
