/** By which one request is found again in the logs of both programs: an id, and nothing of anybody's. */
export const REQUEST_ID_HEADER = "x-request-id";

/** https://www.w3.org/TR/trace-context/ */
export const TRACEPARENT_HEADER = "traceparent";

/** What may go into a log: it can neither end a line nor fill one. */
export const isRequestId = (text: unknown): text is string =>
  typeof text === "string" && /^[\w-]{8,64}$/.test(text);

/** Of version 00, and neither of its ids nothing but zeros. */
export const isTraceparent = (text: unknown): text is string =>
  typeof text === "string" &&
  /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
