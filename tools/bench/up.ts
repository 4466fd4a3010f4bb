import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand } from "../../e2e/support/command.ts";
import { buildDashboard } from "#scripts/build.ts";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { median } from "./harness/trend.ts";

const HELP = `npm run bench up -- [--rounds N]
Times \`npm run up\` until it says that it is ready, without npm itself: cold, with a build but a new data
folder, and warm, in the same folder again. Beside both, an empty Node.js program and the database alone.`;
const KINDS = ["cold", "warm"] as const;
type Kind = (typeof KINDS)[number];
/** The longest acceptable times in seconds. */
const AIMS: Record<Kind, number> = { cold: 10, warm: 3 };

const { values } = readOptions({
  options: {
    rounds: { type: "string", default: "9" },
    help: { type: "boolean", default: false },
  },
});

interface Start {
  kind: Kind;
  /** Seconds until it says that it is ready. */
  up: number;
  bare: number;
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
}

/** Runs the work in a temporary folder, which is deleted afterwards. */
async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function startProduct(folder: string): Promise<number> {
  const [port, servicePort] = await freePorts(2);
  const settings = {
    PORT: `${port}`,
    SERVICE_PORT: `${servicePort}`,
    DATA_DIR: folder,
    DATABASE_URL: "",
    SERVICE_DATABASE_URL: "",
  };
  let stop = async () => 0;
  const took = await seconds(async () => {
    const command = startCommand("start.mjs", settings, ["up.ts"]);
    stop = () => command.stop();
    await command.printed("Duebook is ready.");
  });
  if ((await stop()) !== 0) throw new CommandFailure("Duebook did not shut down cleanly.");
  return took;
}

async function startBare(folder: string): Promise<number> {
  let stop = async () => {};
  const took = await seconds(async () => {
    spawnSync(process.execPath, ["--eval", "0"]);
    const server = await startPostgres(folder);
    stop = () => server.close();
  });
  await stop();
  return took;
}

async function measure(rounds: number): Promise<Start[]> {
  const found: Start[] = [];
  for (let round = 0; round < rounds; round += 1)
    await inFolder((own) =>
      inFolder(async (bare) => {
        for (const kind of KINDS)
          found.push({ kind, up: await startProduct(own), bare: await startBare(bare) });
      }),
    );
  return found;
}

function report(found: Start[]): string {
  const rows = KINDS.map((kind) => {
    const starts = found.filter((start) => start.kind === kind);
    const times = starts.map(({ up }) => up);
    const [middle, aim] = [median(times), AIMS[kind]];
    return [
      kind,
      String(starts.length),
      middle.toFixed(2),
      Math.max(...times).toFixed(2),
      median(starts.map(({ bare }) => bare)).toFixed(2),
      median(starts.map(({ up, bare }) => up / bare)).toFixed(1),
      `≤ ${aim}`,
      middle <= aim ? "met" : "MISSED",
    ];
  });
  const heads = [
    "start",
    "rounds",
    "until ready s",
    "slowest s",
    "bare s",
    "ratio",
    "aim s",
    "",
  ];
  return markdown([heads, ...rows]);
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new CommandFailure("--rounds takes a whole number above 0.");
  await buildDashboard();
  console.log(report(await measure(rounds)));
});
