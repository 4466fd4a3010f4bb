import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { describeService, operationsOf } from "./document.ts";
import { descriptionPage, STYLE } from "./page.ts";

export function descriptionRoutes(
  app: FastifyInstance,
  {
    publicUrl,
    version,
    mode,
  }: {
    publicUrl: string;
    version: string;
    mode: "test" | "live";
  },
) {
  const description = describeService(publicUrl, version, mode);
  const text = JSON.stringify(description);
  const page = descriptionPage(description, operationsOf(mode)).text;
  const style = hash("sha256", STYLE, "base64");

  app.get("/api/openapi.json", (_request, reply) =>
    reply
      .type("application/json; charset=utf-8")
      // A description is public, and tools in browsers read it from other origins.
      .header("access-control-allow-origin", "*")
      .send(text),
  );

  app.get("/", (_request, reply) => reply.redirect("/api/docs"));
  app.get("/api/docs", (_request, reply) =>
    reply
      .type("text/html; charset=utf-8")
      .header(
        "content-security-policy",
        `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .send(page),
  );
}
