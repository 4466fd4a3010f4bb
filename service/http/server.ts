import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { createFairServer, watchServer } from "#contract/process/http-server.ts";
import { limitedSecurityLog, type LogSecurityEvent } from "#contract/process/log.ts";
import { callerRequestIdOf, loggerOptions, type LogOptions } from "./log.ts";

const KIB = 1_024;
const SECOND = 1_000;
const CONNECTIONS = {
  maxHeaderSize: 16 * KIB,
  headersTimeout: 10 * SECOND,
  requestTimeout: 30 * SECOND,
  connectionsCheckingInterval: 5 * SECOND,
  // Milliseconds, longer than a proxy keeps its idle connections.
  keepAliveTimeout: 72 * SECOND,
};
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // A response that is opened directly may do nothing; pages set their own policy.
  "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
};
/**
 * Requires HTTPS for one year. Without `preload`, because browser vendors remove a preloaded site
 * only slowly.
 */
const TRANSPORT = { "strict-transport-security": "max-age=31536000; includeSubDomains" };

/** The server without routes: limits of connections, the log, and headers of every answer. */
export function createServer(
  log: LogOptions,
  trustedProxies: number,
  publicUrl: string,
): FastifyInstance {
  const headers = publicUrl.startsWith("https://") ? { ...HEADERS, ...TRANSPORT } : HEADERS;
  const app: FastifyInstance = Fastify({
    bodyLimit: 256 * KIB,
    serverFactory: (answer) =>
      createFairServer(CONNECTIONS, answer, (reason) =>
        tellSecurity("limit.reached", { layer: "http", reason }),
      ),
    clientErrorHandler: answerUnreadable,
    trustProxy: (_address, hop) => hop < trustedProxies,
    genReqId: () => randomUUID(),
    logger: loggerOptions(log),
    childLoggerFactory: (logger, bindings, options, request) =>
      logger.child({ ...bindings, ...callerRequestIdOf(request) }, options),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "request",
    }),
    // A URL that cannot be decoded matches no route, and no hook runs for it.
    frameworkErrors: (_error, { id }, reply) => {
      void (reply as FastifyReply)
        .code(400)
        .headers({ ...headers, "x-request-id": id })
        .send({ detail: "The address is not readable." });
    },
    // An id of any length is simply not found; the limit on headers applies first.
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 16 * KIB },
    return503OnClosing: false,
  });
  const tellSecurity: LogSecurityEvent = limitedSecurityLog((event, fields) =>
    app.log.warn({ event, ...fields }, "security event"),
  );
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...headers, "x-request-id": request.id });
  });
  // Accepts an Expect header that Node does not know, instead of answering 417.
  app.server.on("checkExpectation", (request, response) =>
    app.server.emit("request", request, response),
  );
  return app;
}

const ANSWERS: Record<string, [status: string, text: string]> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The headers are too large."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request took too long to arrive."],
};
const UNREADABLE: [string, string] = ["400 Bad Request", "The request is not readable HTTP."];

/** Malformed HTTP never reaches a route, but still gets an answer in the usual format. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, text] = ANSWERS[error.code ?? ""] ?? UNREADABLE;
  const body = JSON.stringify({ detail: text });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      "connection: close",
      "",
      body,
    ].join("\r\n"),
  );
}

const texts = new WeakMap<FastifyRequest, string>();

/** The raw body, to tell whether a repeated request is identical. */
export const bodyText = (request: FastifyRequest) => texts.get(request) ?? "";

/**
 * Accepts JSON bodies only. Writes carry a content type even without a body, so an empty body is
 * valid.
 */
export function readJsonBodies(api: FastifyInstance) {
  api.removeAllContentTypeParsers();
  const parse = api.getDefaultJsonParser("error", "error");
  api.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    (request, text, done) => {
      texts.set(request, text);
      if (text.trim() === "") done(null, undefined);
      else void parse(request, text, done);
    },
  );
}

const ending = new WeakSet<FastifyInstance>();

/**
 * Makes answers that are sent during a shutdown close their connection, which would otherwise delay
 * it.
 */
export function endConnectionsOnClose(app: FastifyInstance) {
  const settled = watchServer(app.server);
  app.addHook("preClose", async () => {
    ending.add(app);
    if (app.server.listening) await settled();
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (ending.has(app)) reply.header("connection", "close");
    done();
  });
}

/** Ends the idle connections of a proxy with one last answer each, before any is closed. */
export async function drainConnections(app: FastifyInstance, milliseconds: number) {
  ending.add(app);
  await delay(milliseconds);
}
