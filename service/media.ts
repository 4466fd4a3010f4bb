import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { withRouteDoc } from "./http/route-doc.ts";
import { notFoundError } from "./http/errors.ts";

const FOLDER = join(import.meta.dirname, "..", "public", "products");

/** The images of the demonstration catalogue; real catalogues use URLs of their own. */
export function mediaRoutes(app: FastifyInstance) {
  app.get<{ Params: { file: string } }>(
    "/media/products/:file",
    withRouteDoc({
      summary: "Get a demonstration product's image",
      success: "The image",
      answer: "image/svg+xml",
      refusals: { 404: "There is no such image" },
    }),
    async (request, reply) => {
      if (!/^[a-z0-9-]+\.svg$/.test(request.params.file)) throw notFoundError();
      const image = await readFile(join(FOLDER, request.params.file)).catch(() => null);
      if (!image) throw notFoundError();
      return reply
        .type("image/svg+xml")
        .header("cache-control", "public, max-age=86400")
        .header(
          "content-security-policy",
          "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        )
        .send(image);
    },
  );
}
