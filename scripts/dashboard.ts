import { setTimeout as delay } from "node:timers/promises";
import { constants } from "node:zlib";
import compression from "compression";
import next from "next";
import { CommandFailure, systemReasonOf, runCommand } from "./process/command.ts";
import { createFairServer, watchServer } from "#contract/process/http-server.ts";
import { REQUEST_ID_HEADER } from "#contract/process/tracing.ts";
import { TRANSPORT_HEADER } from "#lib/auth/content-policy.ts";
import { logSecurity } from "#lib/log.ts";
import { withRequest } from "#lib/trace.ts";
import { answerDatabaseAway, refuseUnreadable } from "#scripts/server/refusal.ts";
import { inlineBoundaries } from "./server/inline-boundaries.ts";
import { startMetrics } from "./server/dashboard-metrics.ts";
import { identifyRequest, overwriteForwardedHeaders } from "./server/request-headers.ts";
import { rewritePage } from "./server/page-head.ts";
import { redirectConsoleToLog } from "./process/program-console.ts";
import { requireOpenPort } from "./process/settings.ts";
import { staticFileHeaders, serveStatic } from "./server/static-files.ts";

const GRACE_MS = 8_000;
/**
 * Milliseconds after which a shutdown ends the process, so that the port becomes free; open requests
 * are cut off after GRACE_MS.
 */
const LAST_MS = 9_500;
/**
 * Milliseconds during which a shutdown closes a proxy's kept-alive connections with their next
 * answer.
 */
const LETTING_GO_MS = 1_000;

/**
 * Serves the built dashboard in one process. `next start` trusts every forwarding header of a
 * caller; here they are overwritten first.
 */
async function serve() {
  const port = Number(process.env["PORT"]);
  const hostname = process.env["HOST"] || "127.0.0.1";
  const trustedProxies = readTrustedProxies();
  await requireOpenPort("PORT", port);
  inlineBoundaries();
  const app = next({ dev: false, hostname, port });
  await app.prepare();
  const handle = app.getRequestHandler();
  const compress = compression({
    brotli: {
      params: {
        // 256 KB, more than a page has. The default of 4 MB compresses no better, but allocating it
        // for each answer took half of a page's processor time.
        [constants.BROTLI_PARAM_LGWIN]: 18,
        // Pages and lists are 7 % smaller than at the default of 4, for 0.5 ms of processor time a
        // page; 6 gains nothing.
        [constants.BROTLI_PARAM_QUALITY]: 5,
      },
    },
    filter: (request, response) => {
      // Next.js keeps the type of an API route's answer in an array, which the default filter does
      // not know.
      const type = response.getHeader("content-type");
      if (Array.isArray(type)) response.setHeader("content-type", type.join());
      // Next.js makes API answers vary by headers of its router, which only pages read.
      if (request.url?.startsWith("/api/")) response.removeHeader("vary");
      return compression.filter(request, response);
    },
  });
  const [serveFile, headers] = [await serveStatic(), await staticFileHeaders()];
  const metrics = await startMetrics(hostname);
  const isBehindTls = process.env["NEXTAUTH_URL"]?.startsWith("https://") ?? false;

  let isEnding = false;
  const server = createFairServer(
    {
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 5_000,
      // Longer than the keep-alive of a proxy, so that it never writes to a connection we are closing.
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      overwriteForwardedHeaders(request, trustedProxies);
      // Without this, a proxy's kept-alive connection would never stop bringing new requests.
      if (isEnding) response.setHeader("connection", "close");
      if (isBehindTls) response.setHeader(...TRANSPORT_HEADER);
      if (serveFile(request, response)) return;
      const id = identifyRequest(request, trustedProxies);
      response.setHeader(REQUEST_ID_HEADER, id);
      answerDatabaseAway(response);
      metrics?.observe(request, response);
      const answer = async () => {
        if (await refuseUnreadable(request, response, headers)) return;
        compress(request, response, () => {});
        rewritePage(response);
        await handle(request, response);
      };
      withRequest(id, answer).catch(() => {
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    },
    (reason) => logSecurity("limit.reached", { layer: "http", reason }),
  );

  const settled = watchServer(server);
  const failed = new Promise<never>((_resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new CommandFailure(`cannot listen on ${hostname}:${port}: ${systemReasonOf(error)}.`),
      ),
    );
  });
  const asked = new Promise<void>((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => resolve());
  });
  server.listen(port, hostname);
  await Promise.race([asked, failed]);

  isEnding = true;
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  setTimeout(() => process.exit(1), LAST_MS).unref();
  if (trustedProxies > 0) await delay(LETTING_GO_MS);
  await settled();
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await closed;
  await metrics?.close();
  await app.close();
  process.exit(0);
}

function readTrustedProxies(): number {
  const text = process.env["TRUSTED_PROXIES"] || "0";
  if (!/^\d$/.test(text))
    throw new CommandFailure(
      `TRUSTED_PROXIES is '${text}', but it must be a number from 0 to 9.`,
    );
  return Number(text);
}

redirectConsoleToLog();
await runCommand(serve);
// Needed, because timers of Next.js keep the process alive without a server.
process.exit();
