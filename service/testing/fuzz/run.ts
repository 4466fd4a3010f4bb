import type { Description } from "../../openapi/document.ts";
import type { Operation } from "../../openapi/operation.ts";
import { createConformanceChecker, operationFinder, type Answer } from "../conformance.ts";
import { withTimeLimit } from "./http.ts";
import { generateRequest, type FuzzRequest } from "./request.ts";
import type { FuzzedRecords } from "./values.ts";

export interface FuzzFinding {
  index: number;
  complaint: string;
  request: FuzzRequest;
}

export interface FuzzRun {
  description: Description;
  operations: Operation[];
  known: FuzzedRecords;
  keys: string[];
  /** The account token of the first key's seller. */
  token: string;
  series: number;
  count: number;
  width: number;
  send: (request: FuzzRequest) => Promise<Answer>;
  onProgress?: (done: number) => void;
}

export interface FuzzResult {
  sent: number;
  statuses: Map<number, number>;
  findings: FuzzFinding[];
}

const LONGEST = 10_000;
const ENOUGH = 20;

/** Sends a series of requests; every 5xx, timeout or undocumented answer is a finding. */
export async function runServiceFuzz(run: FuzzRun): Promise<FuzzResult> {
  const complaintOf = createConformanceChecker(run.description);
  const operationOf = operationFinder(run.operations);
  const result: FuzzResult = { sent: 0, statuses: new Map(), findings: [] };
  let next = 0;

  const work = async () => {
    while (next < run.count && result.findings.length < ENOUGH) {
      const index = next;
      next += 1;
      const request = generateRequest(run, run.series, index);
      const complaint = await judge(request).catch((error: unknown) => String(error));
      result.sent += 1;
      if (complaint) result.findings.push({ index, complaint, request });
      run.onProgress?.(result.sent);
    }
  };

  async function judge(request: FuzzRequest): Promise<string | null> {
    const answer = await withTimeLimit(run.send(request), LONGEST);
    result.statuses.set(answer.status, (result.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) return `answered ${answer.status}`;
    const operation = operationOf(request.method, request.url);
    // A HEAD request gets the answer of its GET, without the body.
    if (request.method === "HEAD") return null;
    return complaintOf(operation, answer);
  }

  await Promise.all(Array.from({ length: run.width }, work));
  return result;
}
