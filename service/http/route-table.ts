import type { FastifyInstance } from "fastify";
import type { RouteDoc } from "./route-doc.ts";

export interface Route {
  method: string;
  /** As in the router: `/pay/:id`. */
  url: string;
  doc: RouteDoc | undefined;
  worksBeforeVerification: boolean;
}

const tables = new WeakMap<object, Route[]>();

/** Collects every route registered from now on, for the OpenAPI document and for tests. */
export function collectRoutes(app: FastifyInstance): void {
  const routes: Route[] = [];
  tables.set(app, routes);
  app.addHook("onRoute", ({ method, url, config }) => {
    const worksBeforeVerification = config?.beforeVerification ?? false;
    for (const one of [method].flat())
      routes.push({ method: one, url, doc: config?.doc, worksBeforeVerification });
  });
}

export const routesOf = (app: FastifyInstance): Route[] => tables.get(app) ?? [];
