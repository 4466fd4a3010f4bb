import type { IncomingMessage } from "node:http";
import { randomBytes } from "node:crypto";
import {
  isRequestId,
  isTraceparent,
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
} from "#contract/process/tracing.ts";

type Seen = Pick<IncomingMessage, "headers"> & {
  socket: { remoteAddress?: string | undefined };
};

/**
 * Overwrites the forwarding headers with the address of the client, the requested host and the protocol.
 * Only what the configured number of trusted proxies wrote into these headers is believed.
 */
export function overwriteForwardedHeaders(request: Seen, trustedProxies: number): void {
  const { headers, socket } = request;
  const chain = [...entries(headers["x-forwarded-for"]), socket.remoteAddress ?? ""];
  const client = chain[Math.max(0, chain.length - 1 - trustedProxies)] ?? "";
  const isProxied = trustedProxies > 0;
  const host = (isProxied && entries(headers["x-forwarded-host"]).at(-1)) || headers.host;
  const proto = (isProxied && entries(headers["x-forwarded-proto"]).at(-1)) || "http";
  headers["x-forwarded-for"] = client;
  headers["x-forwarded-proto"] = proto === "https" ? "https" : "http";
  if (host === undefined) delete headers["x-forwarded-host"];
  else headers.host = headers["x-forwarded-host"] = host;
  for (const name of ["forwarded", "x-forwarded-port", "x-real-ip"]) delete headers[name];
}

function entries(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/**
 * The request id used in both programs: that of a trusted proxy, or a new one. A `traceparent` is
 * accepted from a trusted proxy and from our own pages only.
 */
export function identifyRequest(
  { headers }: Pick<IncomingMessage, "headers">,
  trustedProxies: number,
): string {
  const isTrusted = trustedProxies > 0;
  const given = headers[REQUEST_ID_HEADER];
  const id = isTrusted && isRequestId(given) ? given : randomBytes(16).toString("hex");
  headers[REQUEST_ID_HEADER] = id;
  const isOwnPage = headers["sec-fetch-site"] === "same-origin";
  if (!(isTrusted || isOwnPage) || !isTraceparent(headers[TRACEPARENT_HEADER]))
    delete headers[TRACEPARENT_HEADER];
  delete headers["tracestate"];
  delete headers["baggage"];
  return id;
}
