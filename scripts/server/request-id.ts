import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  isRequestId,
  isTraceparent,
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
} from "#contract/requests.ts";

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
