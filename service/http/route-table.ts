import type { FastifyInstance } from "fastify";

export interface Route {
  method: string;
  /** As the router has it: `/pay/:id`. */
  url: string;
}

const tables = new WeakMap<object, Route[]>();

/** Keeps what is registered from now on, so that tests can go over every door there is. */
export function keepRouteTable(app: FastifyInstance): void {
  const routes: Route[] = [];
  tables.set(app, routes);
  app.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
}

export const routesOf = (app: FastifyInstance): Route[] => tables.get(app) ?? [];
