import type { FastifyInstance } from "fastify";
import { detail, notFound } from "./errors.ts";

interface KnownRoute {
  method: string;
  pattern: RegExp;
}

/**
 * Answers whatever matches no route: GET without the slash is redirected with its query, a write
 * without it fails and runs nothing, a wrong method is named, the rest is not found.
 */
export function answerUnmatched(app: FastifyInstance) {
  const known: KnownRoute[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, "[^/]+")}$`);
    for (const one of [method].flat()) known.push({ method: one, pattern });
  });
  const methodsOf = (path: string) =>
    known.filter((route) => route.pattern.test(path)).map((route) => route.method);

  app.setNotFoundHandler((request, reply) => {
    const [path = "", query] = request.url.split("?", 2);
    const slashed = methodsOf(`${path}/`);
    if (slashed.includes(request.method)) {
      if (request.method === "GET" || request.method === "HEAD")
        return reply.redirect(query === undefined ? `${path}/` : `${path}/?${query}`, 301);
      throw detail(404, "Not found: the address must end with a slash. Nothing was changed.");
    }
    const allowed = methodsOf(path);
    if (allowed.length > 0)
      throw detail(405, `The method ${request.method} is not allowed here.`, {
        allow: allowed.join(", "),
      });
    throw notFound();
  });
}
