import { randomUUID } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import type pg from "pg";
import { checkoutRoutes } from "./checkout/routes.ts";
import { customerRoutes } from "./customers/routes.ts";
import { requireKey } from "./http/authenticate.ts";
import { detail, handleErrors } from "./http/errors.ts";
import { readJsonBodies } from "./http/json-body.ts";
import { answerUnmatched } from "./http/trailing-slash.ts";
import { mediaRoutes } from "./media.ts";
import { productRoutes } from "./products/routes.ts";
import { subscriptionRoutes } from "./subscriptions/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

export interface ServiceContext {
  pool: pg.Pool;
  /** The clock is passed in, so that sandbox time can move and no test waits. */
  now: () => Date;
  publicUrl: string;
  mode: "test" | "live";
  /** What signing secrets are sealed with, 32 bytes; without it no webhook is registered. */
  secretsKey?: Buffer | undefined;
}

const BODY_LIMIT = 256 * 1024;
// The document has one version; the header names it and nothing selects it (ADR 0137).
const API_VERSION = "1.0.2";

/** Builds the service; listens to nothing. */
export async function buildApp(
  context: ServiceContext,
  { logLevel = "silent" }: { logLevel?: string } = {},
): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    genReqId: () => randomUUID(),
    // An address can hold what a person typed: only the path is logged.
    logger: {
      level: logLevel,
      serializers: {
        req: ({ method, url }) => ({ method, path: url.split("?", 1)[0] }),
        res: ({ statusCode }) => ({ statusCode }),
      },
    },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    return503OnClosing: false,
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  handleErrors(app);

  await app.register(
    async (api) => {
      readJsonBodies(api);
      api.addHook("onRequest", async (_request, reply) => {
        reply.headers({ "x-api-version": API_VERSION, "cache-control": "no-store" });
      });
      requireKey(api, context.pool, context.mode);
      answerUnmatched(api);
      productRoutes(api, context);
      subscriptionRoutes(api, context);
      customerRoutes(api, context);
      webhookRoutes(api, context);
    },
    { prefix: "/api/v1" },
  );

  await app.register((checkout) => checkoutRoutes(checkout, context));
  mediaRoutes(app);
  app.get("/healthz", async () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    await context.pool.query("select 1").catch(() => {
      throw detail(503, "The database does not answer.");
    });
    return { status: "ready" };
  });
  return app;
}
