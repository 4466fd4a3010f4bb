/** The attributes of a span: technical facts only, no keys, names, or URLs with ids. */
export type SpanAttributes = Record<string, string | number>;

export interface Span {
  set: (attributes: SpanAttributes) => void;
}

export interface ServerSpan {
  run: (answer: () => void) => void;
  end: (name: string, attributes: SpanAttributes) => void;
}

/** The functions for spans, which scripts/process/tracing.ts sets when tracing is enabled. */
export interface Tracing {
  inSpan: <Value>(
    name: string,
    attributes: SpanAttributes,
    run: (span: Span) => Value,
    kind: "internal" | "client",
  ) => Value;
  traceparent: () => string | null;
  beginServerSpan: (traceparent: string | undefined) => ServerSpan;
}

// Without scripts/process/tracing.ts nothing is loaded for tracing.
const shared = globalThis as typeof globalThis & { duebookTracing?: Tracing };
const UNSEEN: Span = { set: () => {} };

export const getTracing = (): Tracing | null => shared.duebookTracing ?? null;
export const setTracing = (one: Tracing): void => void (shared.duebookTracing = one);

/** Calls `run` in a span of the current trace, if any; the span of a promise ends when it settles. */
export function inSpan<Value>(
  name: string,
  attributes: SpanAttributes,
  run: (span: Span) => Value,
  kind: "internal" | "client" = "internal",
): Value {
  const { duebookTracing } = shared;
  return duebookTracing ? duebookTracing.inSpan(name, attributes, run, kind) : run(UNSEEN);
}

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
