import type { InjectOptions } from "fastify";
import { expect } from "vitest";
import { createConformanceChecker, operationFinder } from "./conformance.ts";
import { buildDescribedService } from "./described-service.ts";
import type { TestSeller, TestService } from "./service.ts";

export { buildDescribedService };

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
