import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { notFoundError } from "../http/errors.ts";
import { findImage } from "./store.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "public", "products");

/** An image that a browser opens as a page must neither run nor load anything. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** Images that anybody may see: those that sellers uploaded, and those of the demonstration. */
export function mediaRoutes(app: FastifyInstance, { pool }: ServiceContext) {
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
        .header("content-security-policy", POLICY)
        .send(image);
    },
  );

  app.get<{ Params: { image: string } }>(
    "/media/images/:image",
    withRouteDoc({
      summary: "Get an image",
      description: "Its name is the SHA-256 of its content, so it never changes.",
      success: "The image",
      answer: "image/webp",
      refusals: { 404: "There is no such image" },
    }),
    async (request, reply) => {
      const [, digest] = /^([0-9a-f]{64})\.webp$/.exec(request.params.image) ?? [];
      const content = digest === undefined ? null : await findImage(pool, digest);
      if (!content) throw notFoundError();
      return reply
        .type("image/webp")
        .header("cache-control", "public, max-age=31536000, immutable")
        .header("content-security-policy", "default-src 'none'; sandbox")
        .send(content);
    },
  );
}
