/** Of things, never of people: no key, no name, no address with ids. */
export type SpanAttributes = Record<string, string | number>;

export interface Span {
  set: (attributes: SpanAttributes) => void;
}

export interface ServerSpan {
  /** Runs what answers the request within its span. */
  run: (answer: () => void) => void;
  end: (name: string, attributes: SpanAttributes) => void;
}

/** What scripts/process/tracing.ts offers where traces are wanted. */
export interface Tracing {
  inSpan: <Value>(
    name: string,
    attributes: SpanAttributes,
    run: (span: Span) => Value,
    kind: "internal" | "client",
  ) => Value;
  /** Of the span that is open; null outside of any. */
  traceparent: () => string | null;
  beginServerSpan: (traceparent: string | undefined) => ServerSpan;
}

// A program that is started without scripts/process/tracing.ts has none, and loads nothing for it.
const shared = globalThis as typeof globalThis & { duebookTracing?: Tracing };
const UNSEEN: Span = { set: () => {} };

export const tracing = (): Tracing | null => shared.duebookTracing ?? null;
export const offerTracing = (one: Tracing): void => void (shared.duebookTracing = one);

/** Runs it as a part of the trace that is under way, if there is one; it ends when its promise does. */
export function inSpan<Value>(
  name: string,
  attributes: SpanAttributes,
  run: (span: Span) => Value,
  kind: "internal" | "client" = "internal",
): Value {
  const { duebookTracing } = shared;
  return duebookTracing ? duebookTracing.inSpan(name, attributes, run, kind) : run(UNSEEN);
}
