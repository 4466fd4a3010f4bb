import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import {
  isRequestId,
  isTraceparent,
  REQUEST_ID_HEADER,
  TRACEPARENT_HEADER,
} from "#contract/requests.ts";

/**
 * The id under which this request goes through both programs: of the proxy before us where that is
 * trusted, else a new one. A `traceparent` is believed of that proxy and of our own pages alone.
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
