import type * as z from "zod";
import type { FastifyInstance } from "fastify";
import { accessOf, type Access } from "./access.ts";

type MediaType =
  "application/pdf" | "text/html" | "text/css" | "text/plain" | "image/svg+xml" | "image/webp";

/**
 * A refusal that this route has besides those of its kind; a general error if only text is
 * given.
 */
type Refusal = string | { text: string; schema: "FieldErrors" | "Problem" };

/**
 * A route's part of the OpenAPI document. Its address and kind add the rest: path parameters,
 * authentication, and the refusals that all routes of a kind share (`openapi/operations.ts`).
 */
export interface RouteDoc {
  summary: string;
  description?: string;
  status?: 200 | 201 | 204 | 302 | 303;
  success?: string;
  /** The schema of a JSON answer, or the media type of another. */
  answer?: z.ZodType | MediaType;
  /** The response header that carries a secret, once, if any. */
  secretHeader?: "x-webhook-secret" | "x-issued-key";
  isPaged?: boolean;
  /** Query parameters other than those of paging. */
  query?: {
    schemas: Record<string, z.ZodType>;
    meanings: Record<string, string>;
    /** The parameters without which the route refuses. */
    required?: string[];
  };
  body?: z.ZodType;
  form?: { schema: z.ZodType; example: Record<string, string> };
  /** Whether the route takes an Idempotency-Key and runs in one transaction (`http/write.ts`). */
  isWrite?: boolean;
  /** The description of a 303 that the route can answer instead. */
  redirect?: string;
  refusals?: Partial<Record<400 | 404 | 409 | 410 | 503, Refusal>>;
}

declare module "fastify" {
  interface FastifyContextConfig {
    doc?: RouteDoc;
  }
}

export const withRouteDoc = (doc: RouteDoc) => ({ config: { doc } });

export interface Route {
  method: string;
  /** The URL as in the router: `/pay/:id`. */
  url: string;
  doc: RouteDoc | undefined;
  /** The credential that it needs; null for a public route. */
  access: Access | null;
}

const tables = new WeakMap<object, Route[]>();

/** Collects every route registered from now on, for the OpenAPI document and for tests. */
export function collectRoutes(app: FastifyInstance): void {
  const routes: Route[] = [];
  tables.set(app, routes);
  app.addHook("onRoute", ({ method, url, config }) => {
    for (const one of [method].flat())
      routes.push({ method: one, url, doc: config?.doc, access: accessOf(one, url) });
  });
}

export const routesOf = (app: FastifyInstance): Route[] => tables.get(app) ?? [];
