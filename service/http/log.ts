import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { errorWithoutMessage } from "#contract/process/log.ts";
import { getTracing, type ServerSpan } from "#contract/process/tracing.ts";
import {
  isRequestId,
  isTraceparent,
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
} from "#contract/process/tracing.ts";

export interface LogOptions {
  level: string;
  stream?: { write: (line: string) => void };
}

export const PROGRAM_NAME = "billing service";

/** The line format of all programs (ADR 0190). */
export const loggerOptions = ({ level, stream }: LogOptions) => ({
  level,
  base: { program: PROGRAM_NAME, pid: process.pid },
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (label: string) => ({ level: label }) },
  ...(stream ? { stream } : {}),
  serializers: {
    err: (error: Error) => ({
      type: error.name,
      message: "",
      stack: "",
      ...errorWithoutMessage(error),
    }),
    req: () => ({}),
    res: () => ({}),
  },
});

/**
 * Logs each request with its route, not its URL, which can contain user input or a checkout's link.
 */
export function logRequests(app: FastifyInstance) {
  app.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    request.log.info(
      { method, route: routeOf(request), status: reply.statusCode, ms },
      "answered",
    );
  });
}

export const routeOf = (request: FastifyRequest) => request.routeOptions.url ?? "none";

/** The id under which the caller knows this request, logged with every line of it. */
export function callerRequestIdOf({ headers }: IncomingMessage): { caller_request?: string } {
  const given = headers[REQUEST_ID_HEADER];
  return isRequestId(given) ? { caller_request: given } : {};
}

/**
 * A span for each request, within the caller's trace if there is one; does nothing without
 * tracing.
 */
export function traceRequests(app: FastifyInstance): void {
  const offered = getTracing();
  if (!offered) return;
  const spans = new WeakMap<FastifyRequest, ServerSpan>();
  app.addHook("onRequest", (request, _reply, done) => {
    const given = request.headers[TRACEPARENT_HEADER];
    const span = offered.beginServerSpan(isTraceparent(given) ? given : undefined);
    spans.set(request, span);
    span.run(done);
  });
  // Body events come from the socket, outside the request's async context.
  app.addHook("preValidation", (request, _reply, done) => {
    spans.get(request)?.run(done);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const route = routeOf(request);
    spans.get(request)?.end(`${method} ${route}`, {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": reply.statusCode,
    });
  });
}
