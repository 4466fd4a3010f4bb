import { randomUUID } from "node:crypto";
import Fastify, { LogController, type FastifyInstance } from "fastify";
import { createFairServer, type CloseReason } from "#contract/process/http-server.ts";
import { limitedSecurityLog } from "#contract/process/security-log.ts";
import { checkoutPageOf, checkoutRoutes } from "./checkout/routes.ts";
import type { ServiceContext } from "./context.ts";
import { customerRoutes } from "./customers/routes.ts";
import { requireKey, type Limits } from "./http/authenticate.ts";
import { answerBadAddress, detail, handleErrors, notFound, RETRY_SOON } from "./http/errors.ts";
import { answerHeaders } from "./http/headers.ts";
import { readJsonBodies } from "./http/json-body.ts";
import { callerOf, loggerOptions, logRequests, type LogOptions } from "./http/log.ts";
import { collectRoutes } from "./http/route-table.ts";
import { documented } from "./http/route-doc.ts";
import { traceRequests } from "./http/trace.ts";
import { answerUnmatched } from "./http/trailing-slash.ts";
import { answerUnreadable, ignoreExpectations } from "./http/unreadable.ts";
import { mediaRoutes } from "./media.ts";
import type { Metrics } from "./metrics.ts";
import { descriptionRoutes } from "./openapi/routes.ts";
import { Health } from "./openapi/schemas.ts";
import { productRoutes } from "./products/routes.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { endConnectionsOnClose } from "./shutdown.ts";
import { subscriptionRoutes } from "./subscriptions/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

export interface AppOptions {
  log?: LogOptions;
  limits?: Limits;
  trustedProxies?: number;
  metrics?: Metrics | undefined;
}

const KIB = 1_024;
const SECOND = 1_000;
const CONNECTIONS = {
  maxHeaderSize: 16 * KIB,
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  // Longer than a proxy keeps its idle connections.
  keepAliveTimeout: 72 * SECOND,
};
const NO_LIMITS: Limits = { perKey: 0, failedKeys: 0 };
// The API has one version; the header only reports it (spec choice, version header).
const API_VERSION = "1.0.2";

export async function buildApp(
  context: ServiceContext,
  {
    log = { level: "silent" },
    limits = NO_LIMITS,
    trustedProxies = 0,
    metrics,
  }: AppOptions = {},
): Promise<FastifyInstance> {
  const headers = answerHeaders(context.publicUrl);
  const app = createServer(log, trustedProxies, headers);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers).header("x-request-id", request.id);
  });
  ignoreExpectations(app);
  traceRequests(app);
  collectRoutes(app);
  logRequests(app);
  endConnectionsOnClose(app);
  metrics?.observe(app);
  handleErrors(app);
  app.setNotFoundHandler((request, reply) => {
    const page = checkoutPageOf(request);
    if (page === null) throw notFound();
    return reply.redirect(page, 301);
  });
  await registerApi(app, context, limits);
  await app.register((checkout) => checkoutRoutes(checkout, context));
  mediaRoutes(app);
  descriptionRoutes(app, { publicUrl: context.publicUrl, version: API_VERSION });
  stateRoutes(app, context);
  return app;
}

function createServer(
  log: LogOptions,
  trustedProxies: number,
  headers: Record<string, string>,
): FastifyInstance {
  const app: FastifyInstance = Fastify({
    bodyLimit: 256 * KIB,
    serverFactory: (answer) => createFairServer(CONNECTIONS, answer, (reason) => tell(reason)),
    clientErrorHandler: answerUnreadable,
    trustProxy: (_address, hop) => hop < trustedProxies,
    genReqId: () => randomUUID(),
    logger: loggerOptions(log),
    childLoggerFactory: (logger, bindings, options, request) =>
      logger.child({ ...bindings, ...callerOf(request) }, options),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "request",
    }),
    // No hook runs for these requests.
    frameworkErrors: (_error, request, reply) =>
      answerBadAddress(request, reply.headers(headers)),
    // An id of any length is simply not found; the limit on headers applies first.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 16 * KIB },
    return503OnClosing: false,
  });
  const tellSecurity = limitedSecurityLog((event, fields) =>
    app.log.warn({ event, ...fields }, "security event"),
  );
  const tell = (reason: CloseReason) =>
    tellSecurity("limit.reached", { layer: "http", reason });
  return app;
}

async function registerApi(app: FastifyInstance, context: ServiceContext, limits: Limits) {
  const guard = (api: FastifyInstance) => {
    readJsonBodies(api);
    api.addHook("onRequest", async (_request, reply) => {
      reply.headers({ "x-api-version": API_VERSION, "cache-control": "no-store" });
    });
    requireKey(api, context.pool, { mode: context.mode, limits });
    answerUnmatched(api);
  };
  await app.register(
    async (api) => {
      guard(api);
      productRoutes(api, context);
      subscriptionRoutes(api, context);
      customerRoutes(api, context);
      webhookRoutes(api, context);
    },
    { prefix: "/api/v1" },
  );
  // Not in live mode, where these addresses do not exist.
  if (context.mode === "test")
    await app.register(
      async (api) => {
        guard(api);
        sandboxRoutes(api, context);
      },
      { prefix: "/sandbox" },
    );
}

function stateRoutes(app: FastifyInstance, { pool }: ServiceContext) {
  app.get(
    "/healthz",
    documented({ summary: "Liveness", success: "The process answers", answer: Health }),
    async () => ({ status: "ok" }),
  );
  app.get(
    "/readyz",
    documented({
      summary: "Readiness",
      success: "The service can work",
      answer: Health,
      refusals: { 503: "The database does not answer" },
    }),
    async () => {
      await pool.query("select 1").catch(() => {
        throw detail(503, "The database does not answer.", RETRY_SOON);
      });
      return { status: "ready" };
    },
  );
}
