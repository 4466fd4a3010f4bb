import type { FastifyInstance, FastifyRequest } from "fastify";

const texts = new WeakMap<FastifyRequest, string>();

/** The raw body, to tell whether a repeated request is identical. */
export const bodyText = (request: FastifyRequest) => texts.get(request) ?? "";

/** JSON only. Writes carry a content type even without a body, so an empty body is valid. */
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
