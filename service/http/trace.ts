import type { FastifyInstance, FastifyRequest } from "fastify";
import { isTraceparent, TRACEPARENT_HEADER } from "#contract/requests.ts";
import { tracing, type ServerSpan } from "#contract/process/tracing.ts";
import { routeOf } from "./log.ts";

/**
 * A span for each request, within the caller's trace if there is one; does nothing without
 * tracing.
 */
export function traceRequests(app: FastifyInstance): void {
  const offered = tracing();
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
