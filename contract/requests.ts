/**
 * Carries the request id by which a request is found in the logs of both programs; it
 * identifies no person.
 */
export const REQUEST_ID_HEADER = "x-request-id";

/** https://www.w3.org/TR/trace-context/ */
export const TRACEPARENT_HEADER = "traceparent";

/** Whether an id is safe to log: it cannot end a line or fill one. */
export const isRequestId = (text: unknown): text is string =>
  typeof text === "string" && /^[\w-]{8,64}$/.test(text);

/** Whether a traceparent is valid: version 00, with ids that are not all zeros. */
export const isTraceparent = (text: unknown): text is string =>
  typeof text === "string" &&
  /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text);
