import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";

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
export function withoutPeople(exporter: SpanExporter): SpanExporter {
  return {
    export: (spans, done) => exporter.export(spans.map(cleaned), done),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
