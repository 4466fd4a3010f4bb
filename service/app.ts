import type { FastifyInstance } from "fastify";
import { directoryRoute } from "./account/directory.ts";
import { keyRoutes } from "./account/keys.ts";
import { moveRoutes } from "./account/moves.ts";
import { openingRoutes } from "./account/open.ts";
import { accountProductRoutes } from "./account/products.ts";
import { profileRoutes } from "./account/profile.ts";
import { buyerRequestRoutes } from "./buyers/request-routes.ts";
import { buyerRoutes } from "./buyers/routes.ts";
import { billPages } from "./bills/pages.ts";
import { billRoutes } from "./bills/routes.ts";
import { changeRoutes } from "./changes/routes.ts";
import { correctionRoutes } from "./checkout/details/routes.ts";
import { providerRoutes } from "./checkout/provider-routes.ts";
import { checkoutPageOf, checkoutRoutes } from "./checkout/routes.ts";
import type { ServiceContext } from "./context.ts";
import { customerRoutes } from "./customers/routes.ts";
import { deliveryRoutes } from "./deliveries/routes.ts";
import { requireKey, type RequestLimits } from "./http/authenticate.ts";
import { detailError, handleErrors, notFoundError, RETRY_SOON_HEADERS } from "./http/errors.ts";
import { logRequests, traceRequests, type LogOptions } from "./http/log.ts";
import { collectRoutes, withRouteDoc } from "./http/route-doc.ts";
import { createServer, endConnectionsOnClose, readJsonBodies } from "./http/server.ts";
import { answerUnmatched } from "./http/trailing-slash.ts";
import { mediaRoutes } from "./media/routes.ts";
import { imageRoutes } from "./media/upload.ts";
import { messageReportRoutes } from "./messages/report-routes.ts";
import { paymentAccountRoutes } from "./checkout/account-routes.ts";
import { messageRoutes } from "./messages/routes.ts";
import type { Metrics } from "./metrics.ts";
import { descriptionRoutes } from "./openapi/routes.ts";
import { Health } from "./openapi/schemas.ts";
import { ledgerRoutes } from "./ledger/routes.ts";
import { recordedPaymentRoutes } from "./payments/recorded-routes.ts";
import { accountPaymentRoutes } from "./payments/routes.ts";
import { paymentTaskRoutes } from "./payments/task-routes.ts";
import { productRoutes } from "./products/routes.ts";
import { sharedLinkRoutes } from "./shared-links/account-routes.ts";
import { sharedLinkPages } from "./shared-links/routes.ts";
import { optOutByPhone } from "./reminders/recipients.ts";
import { handOverRoutes } from "./reminders/handed.ts";
import { optOutRoutes } from "./reminders/opt-out-routes.ts";
import { reminderRoutes } from "./reminders/routes.ts";
import { stopRoutes } from "./reminders/stop-routes.ts";
import { sandboxRoutes } from "./sandbox/routes.ts";
import { subscriptionRoutes } from "./subscriptions/routes.ts";
import { takeOverRoutes } from "./subscriptions/take-over-routes.ts";
import { operatorRoutes } from "./verification/operator.ts";
import { verificationRoutes } from "./verification/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

export interface AppOptions {
  log?: LogOptions;
  limits?: RequestLimits;
  trustedProxies?: number;
  metrics?: Metrics | undefined;
}

// The API has one version; the header only reports it (spec choice, version header).
const API_VERSION = "1.0.2";

export async function buildApp(
  context: ServiceContext,
  {
    log = { level: "silent" },
    limits = { perKey: 0, failedKeys: 0 },
    trustedProxies = 0,
    metrics,
  }: AppOptions = {},
): Promise<FastifyInstance> {
  const app = createServer(log, trustedProxies, context.publicUrl);
  traceRequests(app);
  collectRoutes(app);
  logRequests(app);
  endConnectionsOnClose(app);
  metrics?.observe(app);
  handleErrors(app);
  app.setNotFoundHandler((request, reply) => {
    const page = checkoutPageOf(request);
    if (page === null) throw notFoundError();
    return reply.redirect(page, 301);
  });
  await registerApi(app, context, limits);
  await app.register((checkout) => checkoutRoutes(checkout, context));
  await app.register((returns) => providerRoutes(returns, context));
  await app.register((bills) => billPages(bills, context));
  await app.register((buyers) => buyerRoutes(buyers, context));
  await app.register((links) => sharedLinkPages(links, context));
  await app.register((reports) =>
    messageReportRoutes(reports, context, (sellerId, phone) =>
      optOutByPhone(context.pool, { sellerId, phone, at: context.now() }),
    ),
  );
  await app.register((stop) => stopRoutes(stop, context));
  directoryRoute(app, context);
  mediaRoutes(app, context);
  descriptionRoutes(app, { publicUrl: context.publicUrl, version: API_VERSION });
  healthRoutes(app, context);
  return app;
}

async function registerApi(
  app: FastifyInstance,
  context: ServiceContext,
  limits: RequestLimits,
) {
  const answerJson = (api: FastifyInstance) => {
    readJsonBodies(api);
    api.addHook("onRequest", async (_request, reply) => {
      reply.headers({ "x-api-version": API_VERSION, "cache-control": "no-store" });
    });
  };
  const register = (
    prefix: string,
    parts: ((api: FastifyInstance, context: ServiceContext) => void)[],
  ) =>
    app.register(
      async (api) => {
        answerJson(api);
        const acceptsToken = prefix === "/account/v1";
        requireKey(api, context.pool, { ...context, limits, acceptsToken });
        answerUnmatched(api);
        for (const routes of parts) routes(api, context);
      },
      { prefix },
    );
  await register("/api/v1", [productRoutes, subscriptionRoutes, customerRoutes, webhookRoutes]);
  await register("/account/v1", [
    profileRoutes,
    verificationRoutes,
    keyRoutes,
    accountProductRoutes,
    sharedLinkRoutes,
    imageRoutes,
    deliveryRoutes,
    accountPaymentRoutes,
    correctionRoutes,
    buyerRequestRoutes,
    takeOverRoutes,
    recordedPaymentRoutes,
    paymentTaskRoutes,
    ledgerRoutes,
    changeRoutes,
    moveRoutes,
    billRoutes,
    messageRoutes,
    paymentAccountRoutes,
    reminderRoutes,
    optOutRoutes,
    handOverRoutes,
  ]);
  const registerShared = (
    prefix: string,
    routes: (api: FastifyInstance, context: ServiceContext) => void,
  ) =>
    app.register(
      async (api) => {
        answerJson(api);
        routes(api, context);
      },
      { prefix },
    );
  if (context.accountsToken) await registerShared("/account/v1", openingRoutes);
  if (context.operatorToken) await registerShared("/operator/v1", operatorRoutes);
  // These routes do not exist in live mode.
  if (context.mode === "test") await register("/sandbox", [sandboxRoutes]);
}

function healthRoutes(app: FastifyInstance, { pool }: ServiceContext) {
  app.get(
    "/healthz",
    withRouteDoc({ summary: "Liveness", success: "The process answers", answer: Health }),
    async () => ({ status: "ok" }),
  );
  app.get(
    "/readyz",
    withRouteDoc({
      summary: "Readiness",
      success: "The service can work",
      answer: Health,
      refusals: { 503: "The database does not answer" },
    }),
    async () => {
      await pool.query("select 1").catch(() => {
        throw detailError(503, "The database does not answer.", RETRY_SOON_HEADERS);
      });
      return { status: "ready" };
    },
  );
}
