import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { detailError, notFoundError } from "./errors.ts";

interface KnownRoute {
  method: string;
  url: string;
  pattern: RegExp;
}

/**
 * Answers requests that match no route, before any body is read: a GET without the slash is
 * redirected with its query, a write without it fails and changes nothing, a wrong method gets
 * 405, the rest 404.
 */
export function answerUnmatched(api: FastifyInstance) {
  const known: KnownRoute[] = [];
  api.addHook("onRoute", ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, "[^/]+")}$`);
    for (const one of [method].flat()) known.push({ method: one, url, pattern });
  });
  const methodsOf = (path: string) => {
    // A fixed path is not an id, although the pattern of an id matches it too.
    const fixed = known.filter(({ url }) => url === path);
    const routes = fixed.length > 0 ? fixed : known.filter(({ pattern }) => pattern.test(path));
    return routes.map(({ method }) => method);
  };

  api.addHook("onRequest", async (request, reply) => {
    const [path = ""] = request.url.split("?", 1);
    const methods = methodsOf(path);
    if (methods.includes(request.method)) return undefined;
    if (methods.length > 0)
      throw detailError(405, `The method ${request.method} is not allowed here.`, {
        allow: methods.join(", "),
      });
    if (methodsOf(`${path}/`).includes(request.method)) return addSlash(path, request, reply);
    throw notFoundError();
  });
  api.setNotFoundHandler(() => {
    throw notFoundError();
  });
}

// Spec choice, missing slash: a redirect loses the body, so a write gets an error and nothing
// runs.
function addSlash(path: string, request: FastifyRequest, reply: FastifyReply) {
  if (request.method !== "GET" && request.method !== "HEAD")
    throw detailError(
      404,
      "Not found: the address must end with a slash. Nothing was changed.",
    );
  return reply.redirect(`${path}/${request.url.slice(path.length)}`, 301);
}
