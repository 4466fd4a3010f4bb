import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { withRouteDoc } from "../http/route-doc.ts";
import { describeService } from "./document.ts";
import { operationsOf } from "./operations.ts";
import { descriptionPage, PAGE_STYLE } from "./page.ts";
import { OpenApiDocument } from "./schemas.ts";

export function descriptionRoutes(
  app: FastifyInstance,
  info: { publicUrl: string; version: string },
) {
  let document = "";
  let page = "";
  app.addHook("onReady", async () => {
    const operations = operationsOf(app);
    const description = describeService(operations, info);
    document = JSON.stringify(description);
    page = descriptionPage(description, operations).text;
  });
  const style = hash("sha256", PAGE_STYLE, "base64");

  app.get(
    "/api/openapi.json",
    withRouteDoc({
      summary: "Get this document",
      success: "OpenAPI 3.1",
      answer: OpenApiDocument,
    }),
    (_request, reply) =>
      reply
        .type("application/json; charset=utf-8")
        // The document is public, and tools in browsers read it from other origins.
        .header("access-control-allow-origin", "*")
        .send(document),
  );

  app.get(
    "/",
    withRouteDoc({ summary: "Go to the documentation", status: 302, success: "To the page" }),
    (_request, reply) => reply.redirect("/api/docs"),
  );
  app.get(
    "/api/docs",
    withRouteDoc({
      summary: "Read this documentation",
      success: "The page",
      answer: "text/html",
    }),
    (_request, reply) =>
      reply
        .type("text/html; charset=utf-8")
        .header(
          "content-security-policy",
          `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        )
        .send(page),
  );
}
