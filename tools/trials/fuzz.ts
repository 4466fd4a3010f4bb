import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand } from "../../e2e/support/command.ts";
import type { EntryPointFinding, FuzzReport } from "./fuzz/run.ts";
import { LEAK_MARK } from "./fuzz/values.ts";
import { findSecrets } from "../../e2e/support/secret-search.ts";
import {
  CommandFailure,
  positiveOption,
  readOptions,
  runCommand,
} from "#scripts/process/command.ts";

const HELP = `npm run trial fuzz -- [--requests N] [--seed N] [--only text] [--width N]
Starts its own Duebook and sends N hostile requests (10000) to every page, route and server action: wrong
types, 10 MB, deep nesting, ids of another seller and the like. Fails on any 5xx, hang, closed
connection, visible or changed row of another seller, and on secrets in a log.
npm run trial fuzz-service does the same to the billing service.`;

const { values } = readOptions({
  options: {
    requests: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    width: { type: "string", default: "16" },
    help: { type: "boolean", default: false },
  },
});

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const [requests, seed, width] = [
    positiveOption("requests", values.requests),
    positiveOption("seed", values.seed),
    positiveOption("width", values.width),
  ];
  const folder = await mkdtemp(join(tmpdir(), "duebook-fuzz-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  const data = join(folder, ".data");
  const command = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: data,
    // The service runs no worker, so that only the requests can change the other seller's records.
    SERVICE_WORKER: "elsewhere",
  });
  try {
    await command.printed("Duebook is ready.");
    process.env["DUEBOOK_URL"] = `http://localhost:${port}`;
    process.env["BILLING_URL"] = `http://localhost:${servicePort}`;
    process.env["DUEBOOK_DATA_DIR"] = data;
    const { fuzzEntryPoints } = await import("./fuzz/run.ts");
    const began = performance.now();
    const report = await fuzzEntryPoints({
      requests,
      seed,
      width,
      ...(values.only && { only: new RegExp(values.only) }),
      onEntryPoint: (entryPoint, at, of) => {
        if (process.stderr.isTTY)
          process.stderr.write(`\r\x1b[K${at} of ${of} ${entryPoint.name}`);
        else if (at % 10 === 0) console.log(`${at} of ${of} entry points`);
      },
    });
    const left = await findSecrets(data, command.output());
    if (/\b9[78]\d{8}\b/.test(command.output())) left.push("the programs' output: a phone");
    if (command.output().includes(LEAK_MARK)) left.push("the programs' output: request data");
    print(report, left, (performance.now() - began) / 1_000);
  } finally {
    await command.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

/** Describes a request without its session cookie. */
function describeRequest({
  method,
  url,
  headers,
  body = "",
}: EntryPointFinding["request"]): string {
  const { cookie: _cookie, host: _host, ...others } = headers;
  return `${method} ${url.slice(0, 200)} ${JSON.stringify(others).slice(0, 300)} ${body.slice(0, 200)}`;
}

function print({ findings, statuses, ...report }: FuzzReport, left: string[], seconds: number) {
  const counts = [...statuses].toSorted(([a], [b]) => a - b);
  const slowest = [...report.times].toSorted(([, a], [, b]) => b - a).slice(0, 5);
  console.log(`${report.sent} requests at ${report.entryPoints} entry points in ${seconds.toFixed(0)} s
${counts.map(([status, times]) => `${status}: ${times}`).join("  ")}
actions: ${report.done} done, ${report.refused} refused in words
slowest: ${slowest.map(([name, ms]) => `${name} ${(ms / 1_000).toFixed(1)} s`).join(", ")}
${findings.length} findings, ${left.length} secrets and texts of others left in a log or a table`);
  for (const { entryPoint, index, complaint, request } of findings)
    console.log(`\n${entryPoint}, ${index}: ${complaint}\n${describeRequest(request)}`);
  for (const one of left) console.log(one);
  if (findings.length + left.length > 0) throw new CommandFailure("the fuzz run found faults.");
}
