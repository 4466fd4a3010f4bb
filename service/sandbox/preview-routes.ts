import type { FastifyInstance, FastifyRequest } from "fastify";
import { PreviewQuery, type NextEvent } from "#contract/sandbox-preview.ts";
import type { ServiceContext } from "../context.ts";
import { ABANDONED_AFTER } from "../checkout/abandon.ts";
import { sellerOf } from "../http/authenticate.ts";
import { validationError } from "../http/errors.ts";
import { getSubscription } from "../subscriptions/get.ts";
import { countForecast, forecast } from "./clock/forecast.ts";
import { previewDesk } from "./preview.ts";
import { FARTHEST, momentsOf, readTarget } from "./clock/target.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;

/** What lies ahead of the desk and of one subscription. */
export function previewRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now: clock, abandonedAfter: after = ABANDONED_AFTER } = context;

  api.get("/preview/", async (request) => {
    const seller = sellerOf(request);
    const { now, target: until } = readTarget(request.query, seller, clock());
    const query = PreviewQuery.safeParse(request.query);
    if (!query.success) throw validationError(query.error);
    return previewDesk(pool, seller, { now, until, after }, query.data);
  });

  api.get("/subscriptions/:id/next/", async (request: ById): Promise<NextEvent> => {
    const seller = sellerOf(request);
    const { subscription_id: only } = await getSubscription(
      pool,
      seller.seller_id,
      request.params.id,
    );
    const until = new Date(momentsOf(seller, clock()).realNow.getTime() + FARTHEST);
    const [next] = await forecast(pool, seller, { until, after, only });
    if (!next) return { next: null, others: 0 };
    const { at, to, reason } = next;
    const others = (await countForecast(pool, seller, { until: at, after })) - 1;
    return { next: { at: at.toISOString(), new_status: to, reason }, others };
  });
}
