import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span as OpenSpan,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { TRACEPARENT_HEADER } from "#contract/process/tracing.ts";
import { setTracing, type SpanAttributes, type Tracing } from "#contract/process/tracing.ts";
import { traceStatements } from "./traced-statements.ts";

// Imported before a program, only if OTEL_EXPORTER_OTLP_ENDPOINT is set. The standard OpenTelemetry
// variables set endpoint, interval and name.

// Next.js' fetch spans would contain full URLs.
process.env["NEXT_OTEL_FETCH_DISABLED"] = "1";

const program = /service[/\\](main|worker)\.ts$/.test(process.argv[1] ?? "")
  ? "duebook-service"
  : "duebook-dashboard";

const provider = new TracerProvider({
  resource: resourceFromAttributes({
    "service.name": process.env["OTEL_SERVICE_NAME"] || program,
  }),
  spanProcessors: [
    new BatchSpanProcessor({
      exporter: withoutPeople(new OTLPTraceExporter()),
      scheduledDelayMillis: Number(process.env["OTEL_BSP_SCHEDULE_DELAY"]) || 5_000,
    }),
  ],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(provider);
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, () => void provider.forceFlush().catch(() => {}));

const tracer = trace.getTracer("duebook");

const isPromise = (value: unknown): value is Promise<unknown> => value instanceof Promise;

function failed(span: OpenSpan) {
  // The error's message is left out, because it may quote input.
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function runInSpan<Value>(span: OpenSpan, run: () => Value): Value {
  try {
    const value = context.with(trace.setSpan(context.active(), span), run);
    if (isPromise(value))
      value.then(
        () => span.end(),
        () => failed(span),
      );
    else span.end();
    return value;
  } catch (error) {
    failed(span);
    throw error;
  }
}

const isUnderWay = () => trace.getActiveSpan()?.isRecording() ?? false;

const inSpan: Tracing["inSpan"] = (name, attributes, run, kind) => {
  if (!isUnderWay()) return run({ set: () => {} });
  const span = tracer.startSpan(name, {
    attributes,
    kind: kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
  });
  return runInSpan(span, () =>
    run({ set: (more: SpanAttributes) => void span.setAttributes(more) }),
  );
};

setTracing({
  inSpan,
  traceparent: () => {
    const carrier: Record<string, string> = {};
    propagation.inject(context.active(), carrier);
    return carrier[TRACEPARENT_HEADER] ?? null;
  },
  beginServerSpan: (traceparent) => {
    const parent = propagation.extract(
      ROOT_CONTEXT,
      traceparent === undefined ? {} : { [TRACEPARENT_HEADER]: traceparent },
    );
    const span = tracer.startSpan("request", { kind: SpanKind.SERVER }, parent);
    return {
      run: (answer) => context.with(trace.setSpan(parent, span), answer),
      end: (name, attributes) => {
        span.updateName(name).setAttributes(attributes).end();
      },
    };
  },
});
traceStatements({ tracer, isUnderWay });

/** Exported attributes; others could contain URLs with ids or personal data. */
const KEPT = new Set([
  "http.method",
  "http.request.method",
  "http.route",
  "http.status_code",
  "http.response.status_code",
  "next.route",
  "next.span_type",
  "url.template",
  "db.system.name",
  "db.query.summary",
  "error.type",
  "duebook.outcome",
  "duebook.permission",
]);

/** Next.js names most spans by route, but some by URL. */
const nameOf = ({ name }: ReadableSpan) => name.replace(/\w+:\/\/\S+|\?\S*/g, "…");

function cleaned(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => KEPT.has(name)),
  );
  // Events and statuses quote error messages.
  const { code } = span.status;
  const changes = { name: nameOf(span), attributes, events: [], status: { code } };
  return Object.create(
    span,
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { value }])),
  ) as ReadableSpan;
}

/** Wraps an exporter and removes personal data from its spans. */
function withoutPeople(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(cleaned), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
