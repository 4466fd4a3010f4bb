import type { InjectOptions } from "fastify";
import pg from "pg";
import { expect } from "vitest";
import { buildApp } from "../app.ts";
import { describeService } from "../openapi/document.ts";
import { operationsOf } from "../openapi/operations.ts";
import { createConformanceChecker, operationFinder } from "./conformance.ts";
import {
  TEST_ACCOUNTS_TOKEN,
  TEST_OPERATOR_TOKEN,
  type TestSeller,
  type TestService,
} from "./service.ts";

/** The operations and the OpenAPI document of a service that needs no database. */
export async function buildDescribedService(mode: "test" | "live" = "test") {
  const publicUrl = "http://billing.test";
  const app = await buildApp({
    mode,
    publicUrl,
    pool: new pg.Pool(),
    now: () => new Date(),
    accountsToken: TEST_ACCOUNTS_TOKEN,
    operatorToken: TEST_OPERATOR_TOKEN,
  });
  const operations = operationsOf(app);
  return {
    operations,
    description: describeService(operations, { publicUrl, version: "1.0.2" }),
  };
}

export type DescribedRequest = InjectOptions & { url: string };

export const postRequest = (url: string, payload?: object): DescribedRequest => ({
  method: "POST",
  url,
  ...(payload ? { payload } : {}),
});

/** Sends requests and compares their answers with the document. */
export function createDescribedCaller({
  operations,
  description,
}: Pick<Awaited<ReturnType<typeof buildDescribedService>>, "operations" | "description">) {
  const operationOf = operationFinder(operations);
  const complaintOf = createConformanceChecker(description);
  const succeeded = new Set<string>();
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
  return {
    send: async (
      service: Pick<TestService, "call">,
      status: number,
      request: DescribedRequest,
      as: TestSeller | null,
    ) => {
      const answer = await service.call(as, request);
      expect({ request, status: answer.statusCode }).toEqual({ request, status });
      const operation = operationOf(request.method ?? "GET", request.url);
      const { headers, body } = answer;
      const complaint = complaintOf(operation, { status, headers, body });
      expect({ request, complaint }).toEqual({ request, complaint: null });
      if (operation && status < 400) succeeded.add(nameOf(operation));
      return answer;
    },
    /** The operations that no request called with success. */
    neverSucceeded: () => operations.map(nameOf).filter((name) => !succeeded.has(name)),
  };
}
