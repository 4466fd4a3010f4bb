import { hash } from "node:crypto";
import { Failure } from "#scripts/process/failure.ts";
import type { FuzzRequest } from "../../../service/testing/fuzz/request.ts";
import { createSender, withinLimit } from "../../../service/testing/fuzz/http.ts";
import { listEntryPoints, type EntryPoint } from "../../../e2e/support/entry-points.ts";
import { duebookUrl } from "../../../e2e/support/seller.ts";
import { generateRequest, type Asker } from "./generate.ts";
import { gatherParties, type Parties } from "./sellers.ts";

export interface Finding {
  door: string;
  index: number;
  complaint: string;
  request: FuzzRequest;
}

export interface FuzzOptions {
  /** At each door. */
  requests: number;
  seed: number;
  /** How many run at once. */
  width: number;
  only?: RegExp;
  onDoor?: (door: EntryPoint, done: number, of: number) => void;
}

export interface FuzzReport {
  doors: number;
  sent: number;
  statuses: Map<number, number>;
  /** Actions that were carried out, and those that were refused. */
  done: number;
  refused: number;
  findings: Finding[];
  /** Milliseconds that each door took for all of its requests. */
  times: Map<string, number>;
}

const LONGEST = 15_000;
const ENOUGH = 40;
const CHUNK = 100;
/** Of what is larger a program may close the door while it is still being sent. */
const LARGE = 200_000;

/** Asks at every page, route and action of the running product for what nobody asks for. */
export async function fuzzDoors(options: FuzzOptions): Promise<FuzzReport> {
  const doors = listEntryPoints().filter(({ name }) => options.only?.test(name) ?? true);
  if (doors.length === 0) throw new Failure(`no door is called ${String(options.only)}`);
  const parties = await gatherParties();
  const sender = createSender(Number(new URL(duebookUrl()).port));
  const report: FuzzReport = {
    doors: doors.length,
    sent: 0,
    statuses: new Map(),
    done: 0,
    refused: 0,
    findings: [],
    times: new Map(),
  };
  try {
    let [asker, asked] = [await parties.asker(), 0];
    for (const [at, door] of doors.entries()) {
      options.onDoor?.(door, at, doors.length);
      const began = performance.now();
      for (let from = 0; from < options.requests; from += CHUNK) {
        if (report.sent >= asked + CHUNK) {
          asker = await parties.asker();
          asked = report.sent;
        }
        const until = Math.min(from + CHUNK, options.requests);
        await fuzzDoor({ door, asker, parties, sender, report, options }, from, until);
        if (report.findings.length >= ENOUGH) return report;
      }
      report.times.set(door.name, performance.now() - began);
    }
    for (const table of await parties.changed()) {
      const request = { method: "", url: "", headers: {}, body: undefined };
      const complaint = `rows of another seller were changed: ${table}`;
      report.findings.push({ door: "all", index: 0, complaint, request });
    }
    return report;
  } finally {
    sender.close();
    await parties.close();
  }
}

interface Scene {
  door: EntryPoint;
  asker: Asker;
  parties: Parties;
  sender: ReturnType<typeof createSender>;
  report: FuzzReport;
  options: FuzzOptions;
}

async function fuzzDoor(scene: Scene, from: number, until: number) {
  const { door, asker, report, options } = scene;
  // Each door has a series of its own.
  const series = options.seed ^ Number.parseInt(hash("sha256", door.name).slice(0, 7), 16);
  let next = from;
  const work = async () => {
    while (next < until && report.findings.length < ENOUGH) {
      const index = next;
      next += 1;
      const request = generateRequest(door, asker, series, index);
      const complaint = await judge(scene, request).catch((error: unknown) => String(error));
      report.sent += 1;
      if (complaint) report.findings.push({ door: door.name, index, complaint, request });
    }
  };
  await Promise.all(Array.from({ length: options.width }, work));
}

async function judge(
  { door, parties, sender, report }: Scene,
  request: FuzzRequest,
): Promise<string | null> {
  const answer = await withinLimit(sender.send(request), LONGEST).catch((error: unknown) => {
    if (isLarge(request) && isClosed(error)) return null;
    throw error;
  });
  if (answer === null) return null;
  const { status, body } = answer;
  report.statuses.set(status, (report.statuses.get(status) ?? 0) + 1);
  if (status >= 500) return `answered ${status}`;
  if (status < 100) return "was closed without an answer";
  if (door.kind === "action") count(report, body);
  const seen = parties.seenOf(body, JSON.stringify(request));
  return seen === null ? null : `gives away ${seen}`;
}

function count(report: FuzzReport, body: string) {
  if (body.includes('"ok":true')) report.done += 1;
  else if (body.includes('"ok":false')) report.refused += 1;
}

const isLarge = ({ body, headers }: FuzzRequest) =>
  (body?.length ?? 0) > LARGE || Object.values(headers).some(({ length }) => length > LARGE);

const isClosed = (error: unknown) =>
  error instanceof Error &&
  "code" in error &&
  ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(String(error.code));
