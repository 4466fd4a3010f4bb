import type { FastifyInstance, FastifyRequest } from "fastify";
import { MoveClock } from "#contract/sandbox.ts";
import type { ServiceContext } from "../app.ts";
import { ABANDONED_AFTER } from "../checkout/abandon.ts";
import { openTill, type Till } from "../checkout/till.ts";
import { sellerOf } from "../http/authenticate.ts";
import { detail, notFound, validationError } from "../http/errors.ts";
import { sellerNow } from "../lifecycle/seller-clock.ts";
import { findSeller, type Seller } from "../sellers/store.ts";
import { advanceClock, bookAnswers, readClock } from "./clock.ts";
import { forecast } from "./forecast.ts";
import { presentSpan } from "./present.ts";
import { findNextMoment } from "./moments-store.ts";
import { setClockRight } from "./store.ts";
import { targetOf } from "./target.ts";

export function clockRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now: clock, abandonedAfter: after = ABANDONED_AFTER } = context;
  const momentsOf = (seller: Seller) => {
    const realNow = clock();
    return { realNow, now: sellerNow(seller, realNow) };
  };
  const readTarget = (request: FastifyRequest, given: unknown) => {
    const seller = sellerOf(request);
    const moments = momentsOf(seller);
    const input = MoveClock.safeParse(given);
    if (!input.success) throw validationError(input.error);
    return { seller, ...moments, target: targetOf(input.data, seller, moments) };
  };
  const advance = async (seller: Seller, target: Date) => {
    const { realNow, now } = momentsOf(seller);
    const till = openAt(realNow);
    await bookAnswers(till, seller);
    return presentSpan(now, target, await advanceClock(till, seller, { target, after }));
  };
  /** The checkout, by one moment of the clock itself. */
  const openAt = (moment: Date): Till => {
    const till = openTill({ ...context, now: () => moment });
    if (!till) throw notFound();
    return till;
  };

  api.get("/clock/", (request) =>
    readClock(pool, sellerOf(request), { realNow: clock(), after }),
  );

  api.get("/forecast/", async (request) => {
    const { seller, now, realNow, target } = readTarget(request, request.query);
    await bookAnswers(openAt(realNow), seller);
    return presentSpan(now, target, await forecast(pool, seller, { until: target, after }));
  });

  api.post("/clock/advance/", async (request) => {
    const { seller, target } = readTarget(request, request.body);
    return advance(seller, target);
  });

  api.post("/clock/next/", async (request) => {
    const seller = sellerOf(request);
    const next = await findNextMoment(pool, seller.seller_id, { after });
    if (!next) throw detail(400, "Nothing lies ahead that time alone would change.");
    const moments = momentsOf(seller);
    const isLate = next <= moments.now;
    const to = next.toISOString();
    return advance(seller, isLate ? moments.now : targetOf({ to }, seller, moments));
  });

  api.post("/clock/reset/", async (request) => {
    const { seller_id } = sellerOf(request);
    await setClockRight(pool, seller_id);
    const seller = await findSeller(pool, seller_id);
    return readClock(pool, seller ?? sellerOf(request), { realNow: clock(), after });
  });
}
