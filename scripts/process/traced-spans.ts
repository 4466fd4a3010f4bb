import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";

/** What may leave: an attribute that is not listed could be an address, with ids and whose they are. */
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

/** Next names a span by its route, but some by what was asked for. */
const nameOf = ({ name }: ReadableSpan) => name.replace(/\w+:\/\/\S+|\?\S*/g, "…");

function cleaned(span: ReadableSpan): ReadableSpan {
  const attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => KEPT.has(name)),
  );
  // Events quote what was thrown, and a status its message.
  const { code } = span.status;
  const changes = { name: nameOf(span), attributes, events: [], status: { code } };
  return Object.create(
    span,
    Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, { value }])),
  ) as ReadableSpan;
}

/** The same exporter, given spans that tell of things and of nobody. */
export function withoutPeople(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(cleaned), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
