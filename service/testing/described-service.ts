import pg from "pg";
import { buildApp } from "../app.ts";
import { describeService } from "../openapi/document.ts";
import { operationsOf } from "../openapi/operations.ts";

/** The operations and the OpenAPI document of a service that needs no database. */
export async function buildDescribedService(mode: "test" | "live" = "test") {
  const publicUrl = "http://billing.test";
  const app = await buildApp({
    mode,
    publicUrl,
    pool: new pg.Pool(),
    now: () => new Date(),
    accountsToken: "installation-token-of-the-document",
    operatorToken: "operator-token-of-the-document-000",
  });
  const operations = operationsOf(app);
  return {
    operations,
    description: describeService(operations, { publicUrl, version: "1.0.2" }),
  };
}
