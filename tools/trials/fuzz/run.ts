import { hash } from "node:crypto";
import { errorCode } from "#contract/process/log.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import type { FuzzRequest } from "../../../service/testing/fuzz/request.ts";
import { createSender, withTimeLimit } from "../../../service/testing/fuzz/http.ts";
import { listEntryPoints, type EntryPoint } from "../../../e2e/support/entry-points.ts";
import { duebookUrl } from "../../../e2e/support/seller.ts";
import { generateRequest, type FuzzIdentity } from "./generate.ts";
import { createFuzzSellers, type FuzzSellers } from "./sellers.ts";

export interface EntryPointFinding {
  entryPoint: string;
  index: number;
  complaint: string;
  request: FuzzRequest;
}

interface FuzzOptions {
  /** The number of requests to each entry point. */
  requests: number;
  seed: number;
  /** Number of concurrent requests. */
  width: number;
  only?: RegExp;
  onEntryPoint?: (entryPoint: EntryPoint, done: number, of: number) => void;
}

export interface FuzzReport {
  entryPoints: number;
  sent: number;
  statuses: Map<number, number>;
  /** The number of actions that succeeded, and of those that were refused. */
  done: number;
  refused: number;
  findings: EntryPointFinding[];
  /** The milliseconds of all requests to each entry point. */
  times: Map<string, number>;
}

const LONGEST = 15_000;
const ENOUGH = 40;
const CHUNK = 100;
/** Bytes from which the server may close the connection while the request is still being sent. */
const LARGE = 200_000;

/** Sends random requests to every page, route and action of the running product. */
export async function fuzzEntryPoints(options: FuzzOptions): Promise<FuzzReport> {
  const entryPoints = listEntryPoints().filter(({ name }) => options.only?.test(name) ?? true);
  if (entryPoints.length === 0)
    throw new CommandFailure(`no entry point has a name like ${String(options.only)}`);
  const sellers = await createFuzzSellers();
  const sender = createSender(Number(new URL(duebookUrl()).port));
  const report: FuzzReport = {
    entryPoints: entryPoints.length,
    sent: 0,
    statuses: new Map(),
    done: 0,
    refused: 0,
    findings: [],
    times: new Map(),
  };
  try {
    let [identity, asked] = [await sellers.identity(), 0];
    for (const [at, entryPoint] of entryPoints.entries()) {
      options.onEntryPoint?.(entryPoint, at, entryPoints.length);
      const began = performance.now();
      for (let from = 0; from < options.requests; from += CHUNK) {
        if (report.sent >= asked + CHUNK) {
          identity = await sellers.identity();
          asked = report.sent;
        }
        const until = Math.min(from + CHUNK, options.requests);
        await fuzzEntryPoint(
          { entryPoint, identity, sellers, sender, report, options },
          from,
          until,
        );
        if (report.findings.length >= ENOUGH) return report;
      }
      report.times.set(entryPoint.name, performance.now() - began);
    }
    for (const table of await sellers.changed()) {
      const request = { method: "", url: "", headers: {}, body: undefined };
      const complaint = `rows of another seller were changed: ${table}`;
      report.findings.push({ entryPoint: "all", index: 0, complaint, request });
    }
    return report;
  } finally {
    sender.close();
    await sellers.close();
  }
}

interface FuzzRun {
  entryPoint: EntryPoint;
  identity: FuzzIdentity;
  sellers: FuzzSellers;
  sender: ReturnType<typeof createSender>;
  report: FuzzReport;
  options: FuzzOptions;
}

async function fuzzEntryPoint(run: FuzzRun, from: number, until: number) {
  const { entryPoint, identity, report, options } = run;
  // Each entry point has its own series of random numbers.
  const series =
    options.seed ^ Number.parseInt(hash("sha256", entryPoint.name).slice(0, 7), 16);
  let next = from;
  const work = async () => {
    while (next < until && report.findings.length < ENOUGH) {
      const index = next;
      next += 1;
      const request = generateRequest(entryPoint, identity, series, index);
      const complaint = await findComplaint(run, request).catch((error: unknown) =>
        String(error),
      );
      report.sent += 1;
      if (complaint)
        report.findings.push({ entryPoint: entryPoint.name, index, complaint, request });
    }
  };
  await Promise.all(Array.from({ length: options.width }, work));
}

async function findComplaint(
  { entryPoint, sellers, sender, report }: FuzzRun,
  request: FuzzRequest,
): Promise<string | null> {
  const answer = await withTimeLimit(sender.send(request), LONGEST).catch((error: unknown) => {
    if (isLarge(request) && isClosed(error)) return null;
    throw error;
  });
  if (answer === null) return null;
  const { status, body } = answer;
  report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
  if (status >= 500) return `answered ${status}`;
  if (status < 100) return "was closed without an answer";
  if (entryPoint.kind === "action") count(report, body);
  const seen = sellers.seenOf(body, JSON.stringify(request));
  return seen === null ? null : `gives away ${seen}`;
}

function count(report: FuzzReport, body: string) {
  if (body.includes('"ok":true')) report.done += 1;
  else if (body.includes('"ok":false')) report.refused += 1;
}

const isLarge = ({ body, headers }: FuzzRequest) =>
  (body?.length ?? 0) > LARGE || Object.values(headers).some(({ length }) => length > LARGE);

const isClosed = (error: unknown) =>
  ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(errorCode(error));
