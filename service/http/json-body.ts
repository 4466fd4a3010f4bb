import type { FastifyInstance, FastifyRequest } from "fastify";

const texts = new WeakMap<FastifyRequest, string>();

/** The body as it arrived, to tell whether a repeated request is the same one. */
export const bodyText = (request: FastifyRequest) => texts.get(request) ?? "";

/** JSON only. Writes bear its content type also where they have no body, so empty is legal. */
export function readJsonBodies(api: FastifyInstance) {
  api.removeAllContentTypeParsers();
  const parse = api.getDefaultJsonParser("error", "error");
  api.addContentTypeParser<string>(
    "application/json",
    { parseAs: "string" },
    (request, text, done) => {
      texts.set(request, text);
      if (text.trim() === "") done(null, undefined);
      else void parse(request, text, done);
    },
  );
}
