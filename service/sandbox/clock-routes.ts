import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ServiceContext } from "../app.ts";
import { abandonCheckouts } from "../checkout/abandon.ts";
import { sellerOf } from "../http/authenticate.ts";
import { detail, validationError } from "../http/errors.ts";
import { sellerNow } from "../lifecycle/seller-clock.ts";
import { findSeller, type Seller } from "../sellers/store.ts";
import { advanceClock, readClock } from "./clock.ts";
import { forecast } from "./forecast.ts";
import { presentSpan } from "./present.ts";
import { MoveClock } from "./schemas.ts";
import { findNextMoment, setClockRight } from "./store.ts";
import { targetOf } from "./target.ts";

export function clockRoutes(api: FastifyInstance, { pool, now: clock }: ServiceContext) {
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
    const steps = await advanceClock(pool, seller, { target, realNow });
    // Left for a day by the new time: announced at once, not with the next sweep.
    await abandonCheckouts(pool, realNow);
    return presentSpan(now, target, steps);
  };

  api.get("/clock/", (request) => readClock(pool, sellerOf(request), clock()));

  api.get("/forecast/", async (request) => {
    const { seller, now, target } = readTarget(request, request.query);
    return presentSpan(now, target, await forecast(pool, seller, target));
  });

  api.post("/clock/advance/", async (request) => {
    const { seller, target } = readTarget(request, request.body);
    return advance(seller, target);
  });

  api.post("/clock/next/", async (request) => {
    const seller = sellerOf(request);
    const next = await findNextMoment(pool, seller.seller_id);
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
    return readClock(pool, seller ?? sellerOf(request), clock());
  });
}
