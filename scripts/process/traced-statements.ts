import { context, SpanKind, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import pg from "pg";

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
type Done = (error: Error | null | undefined, result: unknown) => void;

const CHANGE =
  /\b(insert)\s+into\s+([a-z_][\w.]*)|\b(update|delete\s+from)\s+([a-z_][\w.]*)\s/i;
const READ = /\bfrom\s+([a-z_][\w.]*)/i;

/** Summary of a statement, as "insert subscription": verb and table, never values. */
export function statementSummary(text: string): string {
  const [verb = ""] = /[a-z]+/i.exec(text) ?? [];
  const isRead = verb.toLowerCase() === "select";
  const [, insert, into, change, changed] = (isRead ? null : CHANGE.exec(text)) ?? [];
  const done = insert ?? change?.split(/\s/)[0] ?? verb;
  const table = into ?? changed ?? READ.exec(text)?.[1] ?? "";
  return `${done} ${table}`.trim().toLowerCase();
}

const textOf = (query: unknown): string | null => {
  if (typeof query === "string") return query;
  const isConfig = typeof query === "object" && query !== null && !("submit" in query);
  return isConfig && "text" in query ? String(query.text) : null;
};

interface Traced {
  tracer: Tracer;
  isUnderWay: () => boolean;
}

/** Adds a span to every statement inside a trace; both programs share one `pg`. */
export function traceStatements({ tracer, isUnderWay }: Traced): void {
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  const traced: Query = function (...given) {
    const text = textOf(given[0]);
    if (text === null || !isUnderWay()) return query.apply(this, given);
    const span = tracer.startSpan(statementSummary(text), {
      kind: SpanKind.CLIENT,
      attributes: {
        "db.system.name": "postgresql",
        "db.query.summary": statementSummary(text),
      },
    });
    const end = (error?: unknown) => {
      if (error) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    };
    const done = given.at(-1);
    if (typeof done === "function") {
      const tell: Done = (error, result) => {
        end(error);
        (done as Done)(error, result);
      };
      return query.apply(this, [...given.slice(0, -1), tell]);
    }
    const result = query.apply(this, given);
    if (result instanceof Promise) result.then(() => end(), end);
    else end();
    return result;
  };
  client.query = traced;
  keepContext();
}

/**
 * The pool hands a connection over inside another request, so the context of the request that waited is
 * restored.
 */
function keepContext() {
  type Connect = (this: pg.Pool, done?: (...all: unknown[]) => void) => unknown;
  const pool = pg.Pool.prototype as unknown as { connect: Connect };
  const { connect } = pool;
  const kept: Connect = function (done) {
    return connect.call(this, done && context.bind(context.active(), done));
  };
  pool.connect = kept;
}
