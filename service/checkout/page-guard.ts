import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isOriginOf } from "#contract/process/origin.ts";
import { ApiError, isUnreachable, logFault, RETRY_SOON } from "../http/errors.ts";
import { messagePage, sendPage } from "./page.ts";
import { readerOf } from "./reader.ts";

/**
 * Headers and error pages of the checkout. Buyers return to the shop by a link and a refresh,
 * not by redirecting the form: form-action would silently block a redirect to another origin.
 */
export function guardPages(
  app: FastifyInstance,
  { formTargets, publicUrl }: { formTargets: string; publicUrl: string },
) {
  const headers = {
    "content-security-policy": `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action ${formTargets}; base-uri 'none'; frame-ancestors 'none'`,
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
  };
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers);
    if (request.method === "POST" && isForeign(request, publicUrl)) throw new ApiError(403, {});
  });
  app.setErrorHandler((error, request, reply) => sendFault(error, request, reply));
}

function isForeign({ headers, protocol }: FastifyRequest, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin";
  const { origin } = headers;
  const arrived = { host: headers.host, scheme: protocol };
  return origin !== undefined && !isOriginOf(origin, arrived, publicUrl);
}

function sendFault(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const status = statusOf(error);
  if (status >= 500) logFault(request, error, "checkout failed");
  const kind = status === 404 ? "missing" : status < 500 ? "refused" : "broken";
  if (status === 503) reply.headers(RETRY_SOON);
  const reader = readerOf(request);
  const { fault } = reader.texts;
  return sendPage(reply.code(status), messagePage(fault[kind], fault[`${kind}Text`]), reader);
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.status;
  if (error instanceof Error && "statusCode" in error) return Number(error.statusCode);
  return isUnreachable(error) ? 503 : 500;
}
